import { ChevronDown } from "lucide";
import type { ReactNode } from "react";
import type { Service } from "../../config/site-schema.ts";
import { Icon } from "../../ui/icon.ts";
import { IconPicker } from "./icon-picker.tsx";
import { LinesField } from "./lines-field.tsx";
import { RowNote } from "./row-header.tsx";
import { iconNames } from "./service-icon-names.ts";
import { useProblemCount } from "./service-problems.ts";
import { ServiceQuestions, ServiceSections } from "./service-sections.tsx";
import { TextSetting } from "./text-setting.tsx";

interface ServiceFormProps {
  /** Of the service in the document: "items[2]". */
  path: string;
  service: Service;
  onChange: (changes: Partial<Service>) => void;
}

/** The texts and the icon of one service. What its card shows comes first; the parts of its page open one by one. */
export function ServiceForm({ path, service, onChange }: ServiceFormProps) {
  const { fit } = service;
  return (
    <div className="space-y-5 border-t border-line pt-4 pb-5">
      <p className="text-sm text-muted">
        Address: <span className="font-medium text-ink">/services/{service.slug}</span>. It does not
        change, so that links to the page keep working.
      </p>
      <TextSetting
        path={`${path}.title`}
        label="Title"
        help="At the top of the service's page and in the post editor."
        value={service.title}
        maxLength={120}
        onChange={(title) => onChange({ title })}
      />
      <TextSetting
        path={`${path}.cardTitle`}
        label="Card title"
        help="On cards and in lists, when the title is too long for them. Empty for the title."
        value={service.cardTitle}
        maxLength={120}
        onChange={(cardTitle) => onChange({ cardTitle })}
      />
      <TextSetting
        path={`${path}.description`}
        label="Description"
        help="One sentence for the card and for search engines."
        value={service.description}
        maxLength={400}
        rows={2}
        onChange={(description) => onChange({ description: oneLine(description) })}
      />
      <TextSetting
        path={`${path}.tagline`}
        label="Tagline"
        help="Below the title of the service's page."
        value={service.tagline}
        maxLength={300}
        rows={2}
        onChange={(tagline) => onChange({ tagline: oneLine(tagline) })}
      />
      <div className="divide-y divide-line border-y border-line">
        <Part title="Icon" note={iconNames[service.icon]} paths={[`${path}.icon`]}>
          <IconPicker value={service.icon} onChange={(icon) => onChange({ icon })} />
        </Part>
        <Part
          title="Description on the page"
          note={countOf(service.summary.length, "summary line")}
          paths={[`${path}.fullDescription`, `${path}.summary`]}
        >
          <TextSetting
            path={`${path}.fullDescription`}
            label="Full description"
            help="A blank line starts a new paragraph."
            value={service.fullDescription}
            maxLength={10_000}
            rows={6}
            onChange={(fullDescription) => onChange({ fullDescription })}
          />
          <LinesField
            path={`${path}.summary`}
            label="Summary"
            help="For readers in a hurry."
            line="Summary line"
            lines={service.summary}
            max={6}
            maxLength={500}
            onChange={(summary) => onChange({ summary })}
          />
        </Part>
        <Part
          title="Who it suits"
          note={`${fit.yes.length} yes, ${fit.no.length} no`}
          paths={[`${path}.fit`]}
        >
          <TextSetting
            path={`${path}.fit.content`}
            label="Text about who it suits"
            help="Above the two lists."
            value={fit.content}
            maxLength={2000}
            rows={4}
            onChange={(content) => onChange({ fit: { ...fit, content } })}
          />
          <LinesField
            path={`${path}.fit.yes`}
            label="It suits you if"
            help="Reasons to choose the service."
            line="Reason for it"
            lines={fit.yes}
            max={10}
            maxLength={500}
            onChange={(yes) => onChange({ fit: { ...fit, yes } })}
          />
          <LinesField
            path={`${path}.fit.no`}
            label="It does not suit you if"
            help="Reasons against the service."
            line="Reason against it"
            lines={fit.no}
            max={10}
            maxLength={500}
            onChange={(no) => onChange({ fit: { ...fit, no } })}
          />
        </Part>
        <Part
          title="Sections"
          note={countOf(service.sections.length, "section")}
          paths={[`${path}.sections`]}
        >
          <ServiceSections
            path={`${path}.sections`}
            sections={service.sections}
            onChange={(sections) => onChange({ sections })}
          />
        </Part>
        <Part
          title="Questions"
          note={countOf(service.questions.length, "question")}
          paths={[`${path}.questions`]}
        >
          <ServiceQuestions
            path={`${path}.questions`}
            questions={service.questions}
            onChange={(questions) => onChange({ questions })}
          />
        </Part>
      </div>
    </div>
  );
}

interface PartProps {
  title: string;
  note: string;
  /** The values that the part shows. */
  paths: string[];
  children: ReactNode;
}

/** A part of the form that opens and closes. */
function Part({ title, note, paths, children }: PartProps) {
  const problems = useProblemCount(...paths);
  return (
    <details className="group">
      <summary className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-2 font-semibold">
        <Icon
          drawing={ChevronDown}
          className="size-5 shrink-0 -rotate-90 text-muted group-open:rotate-0"
        />
        {title}
        <span className="text-sm font-normal text-muted">{note}</span>
        {problems > 0 && <RowNote danger>{problems} to correct</RowNote>}
      </summary>
      <div className="space-y-5 pt-1 pb-6">{children}</div>
    </details>
  );
}

function countOf(count: number, what: string): string {
  if (count === 0) return "none yet";
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/** Shown in several lines, stored as one. */
function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
