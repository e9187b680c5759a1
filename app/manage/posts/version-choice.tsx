import { type ReactNode, useEffect, useRef } from "react";
import { type ServiceLink, useSite } from "../../config/use-site.ts";
import { isRelated } from "../../posts/post-content.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { Button } from "../button.tsx";
import { readableText } from "../content/marked-blocks.ts";
import { sameJson } from "../content/merge-blocks.ts";
import { WordDifferences } from "../merge/word-differences.tsx";
import type { Kind } from "./kinds.ts";
import type { PostDraft } from "./post-schema.ts";

interface VersionChoiceProps {
  heading: string;
  text: string;
  mine: PostDraft;
  /** Null when the version is not known. */
  other: PostDraft | null;
  children: ReactNode;
}

function VersionChoice(props: VersionChoiceProps) {
  const { heading, text, mine, other, children } = props;
  const { services } = useSite();
  const panel = useRef<HTMLDivElement>(null);
  const differences = other ? differingFields(mine, other, services) : [];

  useEffect(() => {
    panel.current?.scrollIntoView({ block: "center" });
  }, []);

  return (
    <div ref={panel} className="mt-8 rounded-lg bg-clay-soft p-5">
      <div role="alert">
        <h2 className="text-xl">{heading}</h2>
        <p className="mt-2">{text}</p>
      </div>
      {differences.map(({ label, mine, other }) => (
        <div key={label} className="mt-4">
          <h3 className="text-base font-semibold">{label}</h3>
          <WordDifferences
            before={{ label: "Yours", text: mine }}
            after={{ label: "The other version", text: other }}
          />
        </div>
      ))}
      <div className="mt-5 flex flex-wrap gap-3">{children}</div>
    </div>
  );
}

interface Difference {
  label: string;
  mine: string;
  other: string;
}

function differingFields(
  mine: PostDraft,
  other: PostDraft,
  services: readonly ServiceLink[],
): Difference[] {
  const titles = ({ relatedServices }: PostDraft) =>
    services.flatMap((service) => (isRelated(service, relatedServices) ? service.title : []));
  const fields: [string, (draft: PostDraft) => string][] = [
    ["Title", ({ title }) => title],
    ["Category", ({ category }) => category],
    ["Author", ({ author }) => author],
    ["Content", ({ content }) => readableText(content)],
    ["Featured Image", ({ imageUrl }) => imageUrl ?? "No image"],
    ["Related Services", (draft) => titles(draft).join(", ")],
    ["Tagline", ({ tagline }) => tagline],
    ["Alternative text", ({ alt }) => alt],
    ["Address", ({ slug }) => slug],
  ];
  const differences = fields.flatMap(([label, read]) =>
    read(mine) === read(other) ? [] : [{ label, mine: read(mine), other: read(other) }],
  );
  const isFormatted =
    !sameJson(mine.content, other.content) && !differences.some(({ label }) => label === "Content");
  return isFormatted
    ? [...differences, { label: "Content", mine: "Same words", other: "Same words, other formats" }]
    : differences;
}

interface DraftConflictProps {
  kind: Kind;
  mine: PostDraft;
  /** Null when the other window published, scheduled or discarded the draft. */
  other: PostDraft | null;
  onKeepMine: () => void;
  onUseOther: () => void;
}

export function DraftConflict(props: DraftConflictProps) {
  const { kind, mine, other, onKeepMine, onUseOther } = props;
  return (
    <VersionChoice
      heading={other ? `Another window changed this ${kind.name}` : "The draft is gone"}
      text={
        other
          ? "Its version is stored. Yours is still in this form and is not saved."
          : "It was published, scheduled or discarded in another window. Yours is still in this form and is not saved."
      }
      mine={mine}
      other={other}
    >
      <Button onClick={onUseOther}>
        {other ? "Use the other version" : "Show what is stored"}
      </Button>
      <Button look="danger" onClick={onKeepMine}>
        {other ? "Replace it with mine" : "Save mine as a new draft"}
      </Button>
    </VersionChoice>
  );
}

interface NewerVersionProps {
  kind: Kind;
  mine: PostDraft;
  other: PostDraft;
  /** The address for visitors; null for a scheduled post. */
  path: string | null;
  onOverwrite: () => void;
}

/** Shown when the post was changed after the changes here were started. */
export function NewerVersion({ kind, mine, other, path, onOverwrite }: NewerVersionProps) {
  return (
    <VersionChoice
      heading="There is a newer version"
      text={`This ${kind.name} was changed somewhere else after you opened it. Nothing was saved, and what you typed is still here.`}
      mine={mine}
      other={other}
    >
      {path && (
        <a href={path} target="_blank" rel="noopener" className={buttonClass("secondary", "small")}>
          See the other version<span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
      <Button look="danger" onClick={onOverwrite}>
        Overwrite it with mine
      </Button>
    </VersionChoice>
  );
}
