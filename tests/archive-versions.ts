// What the tests of the archive share.
import { sectionNames, sectionSchemas } from "../app/config/site-schema.ts";

/** Loads the file of a visitor's page by the id of its route. */
export function loadRouteFile(id: string) {
  const file = id.replace(/^legal\/.*/, "legal/legal-page");
  return import(/* @vite-ignore */ `${import.meta.dirname}/../app/${file}.tsx`);
}

/** A public version. The document of settings is completed. */
export function versionOf(kind: string, item: string, document: object) {
  const section = sectionNames.find((name) => kind === "settings" && name === item);
  return {
    ...{ kind, item, event: "published", is_public: true },
    document: section ? sectionSchemas[section].parse(document) : document,
  };
}
