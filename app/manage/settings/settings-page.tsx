import { PageData } from "../manage-frame.tsx";
import SectionList from "./section-list.tsx";
import { loadSettings } from "./settings-store.ts";

export const load = loadSettings;

export default function SettingsPage({ data }: { data: ReturnType<typeof load> }) {
  return <PageData data={data}>{(stored) => <SectionList stored={stored} />}</PageData>;
}
