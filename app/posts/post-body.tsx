import { ExternalLink } from "../ui/external-link.tsx";
import { type Block, parseBlocks, splitLinks } from "./post-content.ts";

/** The content of a post. */
export function PostBody({ content }: { content: unknown }) {
  return (
    <div className="min-w-0 max-w-[42rem] space-y-6 text-lg [&>p:first-child]:font-serif [&>p:first-child]:text-xl">
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
          <LinkedText text={block.text} />
        </p>
      );
    case "list":
      return (
        <ul className="list-disc space-y-2.5 pl-6 marker:text-clay">
          {block.items.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no id and never move.
            <li key={place}>
              <LinkedText text={item} />
            </li>
          ))}
        </ul>
      );
    case "quote":
      return (
        <blockquote className="my-10 border-t-2 border-clay pt-6 font-serif text-2xl text-evergreen sm:mx-6">
          {block.text}
        </blockquote>
      );
  }
}

function LinkedText({ text }: { text: string }) {
  return splitLinks(text).map(({ text: piece, href }, index) =>
    href ? (
      <ExternalLink
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no id and never move.
        key={index}
        href={href}
        className="font-medium text-evergreen underline decoration-clay/60 underline-offset-4 [overflow-wrap:anywhere] hover:decoration-clay"
      >
        {piece}
      </ExternalLink>
    ) : (
      piece
    ),
  );
}
