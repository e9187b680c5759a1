import { data as response, useParams } from "react-router";
import { PageData } from "../manage-frame.tsx";
import type { LoadArgs } from "../manage-pages.ts";
import SectionEditor from "./section-editor.tsx";
import { isSectionName } from "./sections.ts";
import { loadSettings } from "./settings-store.ts";

export function load({ params }: LoadArgs) {
  if (!isSectionName(params.section)) throw response(null, { status: 404 });
  return loadSettings();
}

export default function SectionPage({ data }: { data: ReturnType<typeof load> }) {
  const { section = "" } = useParams();
  return (
    <PageData data={data}>
      {(stored) => <SectionEditor key={section} section={section} stored={stored} />}
    </PageData>
  );
}
