import type { SiteSettings } from "../../config/site-schema.ts";

interface ServicesEditorProps {
  document: SiteSettings["services"];
  onChange: (document: SiteSettings["services"]) => void;
  /** By path, such as "items[0].title". */
  problems: Record<string, string>;
}

/** The services: their order, texts and icons. */
export function ServicesEditor({ document }: ServicesEditorProps) {
  return (
    <ul className="space-y-1">
      {document.items.map(({ slug, title }) => (
        <li key={slug}>{title}</li>
      ))}
    </ul>
  );
}
