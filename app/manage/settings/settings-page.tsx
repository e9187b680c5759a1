import { Navigate } from "react-router";
import { sectionNames } from "../../config/site-schema.ts";
import { PageData } from "../manage-frame.tsx";
import { settingsQuery } from "./settings-store.ts";

/** Leads to what waits: for an approval, or to be published. */
export default function SettingsPage() {
  return (
    <PageData query={settingsQuery}>
      {({ submitted, drafts }) => {
        const section =
          sectionNames.find((name) => submitted.includes(name)) ??
          sectionNames.find((name) => drafts[name]) ??
          "firm";
        return <Navigate replace to={`/manage/settings/${section}`} />;
      }}
    </PageData>
  );
}
