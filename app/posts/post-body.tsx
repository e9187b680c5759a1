import { type ReactNode, useId } from "react";
import { Link, useRouteLoaderData } from "react-router";
import type { PageSettings } from "../config/request-context.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Image } from "../ui/image.tsx";
import { type Block, formatText, type Mark, parseBlocks, type TextPiece } from "./post-content.ts";

/** The content of a post. */
export function PostBody({ content }: { content: unknown }) {
  return (
    <div className="space-y-6 text-lg [overflow-wrap:break-word] [&>p:first-child]:font-serif [&>p:first-child]:text-xl">
      {parseBlocks(content).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id and never move.
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case "heading":
      return <h2 className="pt-6 text-2xl">{block.text}</h2>;
    case "paragraph":
      return (
        <p className="whitespace-pre-line">
          <FormattedText text={block.text} marks={block.marks} />
        </p>
      );
    case "list":
      return (
        <ul className="list-disc space-y-2.5 pl-6 marker:text-clay">
          <ListItems block={block} />
        </ul>
      );
    case "numbered-list":
      return (
        // Room for three digits.
        <ol className="list-decimal space-y-2.5 pl-9 marker:font-semibold marker:text-clay">
          <ListItems block={block} />
        </ol>
      );
    case "quote":
      return (
        <blockquote className="my-10 whitespace-pre-line border-t-2 border-clay pt-6 font-serif text-2xl text-evergreen sm:mx-6">
          <FormattedText text={block.text} marks={block.marks} />
        </blockquote>
      );
    case "note":
      return <Note text={block.text} marks={block.marks} />;
    case "image":
      return (
        <Image
          src={block.src}
          alt={block.alt}
          width={block.width}
          height={block.height}
          sizes="(min-width: 46rem) 42rem, 92vw"
          className="image mx-auto my-10 h-auto max-w-full rounded-lg"
        />
      );
  }
}

function ListItems({ block }: { block: Extract<Block, { items: string[] }> }) {
  return block.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no id and never move.
    <li key={index} className="whitespace-pre-line">
      <FormattedText text={item} marks={block.itemMarks?.[index]} />
    </li>
  ));
}

interface FormattedTextProps {
  text: string;
  marks?: readonly Mark[];
}

/** What readers should remember, in a box. */
function Note(props: FormattedTextProps) {
  const label = useId();
  return (
    <div
      role="note"
      aria-labelledby={label}
      className="my-10 rounded-md border-l-4 border-clay bg-sage px-5 py-5 sm:px-7 sm:py-6"
    >
      <p id={label} className="text-sm font-semibold text-clay">
        Remember this
      </p>
      <p className="mt-1.5 whitespace-pre-line">
        <FormattedText {...props} />
      </p>
    </div>
  );
}

function FormattedText({ text, marks }: FormattedTextProps) {
  return formatText(text, marks).map(({ href, pieces }, index) => {
    const children = pieces.map((piece, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no id and never move.
      <Emphasis key={place} {...piece} />
    ));
    return href ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: runs have no id and never move.
      <TextLink key={index} href={href}>
        {children}
      </TextLink>
    ) : (
      children
    );
  });
}

function Emphasis({ text, bold, italic }: TextPiece) {
  const emphasized = italic ? <em>{text}</em> : text;
  return bold ? <strong className="font-semibold">{emphasized}</strong> : emphasized;
}

const linkClass =
  "font-medium text-evergreen underline decoration-clay/60 underline-offset-4 [overflow-wrap:anywhere] hover:decoration-clay";

/** A link to another site, to a page or file of this one, or to a mail or telephone program. */
function TextLink({ href, children }: { href: string; children: ReactNode }) {
  // The root route's loader returns them (root.tsx); this folder may not import its type.
  const root = useRouteLoaderData("root") as { settings: PageSettings } | undefined;
  const { origin, pathname, search, hash } = new URL(href);
  if (origin === URL.parse(root?.settings.siteUrl ?? "")?.origin) {
    return (
      <Link
        to={pathname + search + hash}
        // A file is no page of the router.
        reloadDocument={pathname.includes(".")}
        className={linkClass}
      >
        {children}
      </Link>
    );
  }
  const Element = /^http/i.test(href) ? ExternalLink : "a";
  return (
    <Element href={href} className={linkClass}>
      {children}
    </Element>
  );
}
