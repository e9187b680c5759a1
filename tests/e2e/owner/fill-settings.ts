// Fills in the forms under /manage/settings through their labelled controls.
import type { Locator, Page } from "@playwright/test";
import {
  type SectionName,
  type SiteSettings,
  sectionSchemas,
} from "../../../app/config/site-schema.ts";
import {
  elementOf,
  type Field,
  fieldKindOf,
  fieldsOf,
  infoOf,
} from "../../../app/manage/settings/fields.ts";
import { navigate } from "../test.ts";

/** Opens the form of a section. */
export async function openSection(page: Page, section: SectionName): Promise<void> {
  await navigate(page, `/manage/settings/${section}`);
  await page.getByRole("heading", { level: 1, name: infoOf(section).label }).waitFor();
}

/** Fills in every field except images and the list of services. */
export async function fillSection<Name extends SectionName>(
  page: Page,
  section: Name,
  document: SiteSettings[Name],
): Promise<void> {
  for (const field of fieldsOf(sectionSchemas[section])) {
    await fillField(page.getByRole("main"), field, Object(document)[field.name]);
  }
}

async function fillField(form: Locator, { schema, info }: Field, value: unknown): Promise<void> {
  const { label, entry = "", choices = {} } = info;
  const kind = fieldKindOf(schema, info);
  switch (kind) {
    case "services":
    case "redirects":
    case "order":
    case "image":
      return;
    case "group": {
      const group = form.getByRole("group", { name: label, exact: true });
      for (const field of fieldsOf(schema)) {
        await fillField(group, field, Object(value)[field.name]);
      }
      return;
    }
    case "switch":
      return form.getByRole("switch", { name: label }).setChecked(value === true);
    case "choice":
      return form.getByRole("radio", { name: choices[String(value)] }).check();
    case "parts":
      for (const [part, name] of Object.entries(choices)) {
        const isShown = !listOf(value).includes(part);
        await form.getByRole("switch", { name, exact: true }).setChecked(isShown);
      }
      return;
    case "timeZone":
    case "country":
      await control(form, label).selectOption(String(value));
      return;
    case "list":
    case "rows": {
      const list = form.getByRole("group", { name: label, exact: true });
      const entries = listOf(value);
      await resize(list, entry, entries.length);
      for (const [index, given] of entries.entries()) {
        if (kind === "list") {
          await control(list, `${entry} ${index + 1}`).fill(String(given));
          continue;
        }
        const row = new Map<string, unknown>(Object.entries(Object(given)));
        for (const column of fieldsOf(elementOf(schema))) {
          await control(list, column.info.label)
            .nth(index)
            .fill(String(row.get(column.name)));
        }
      }
      return;
    }
    default:
      return control(form, label).fill(String(value ?? ""));
  }
}

function control(form: Locator, label: string): Locator {
  const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return form.getByLabel(new RegExp(`^${escaped}( \\(optional\\))?$`));
}

/** Adds or removes entries until the list has this many. */
async function resize(list: Locator, entry: string, length: number): Promise<void> {
  const remove = list.getByRole("button", { name: new RegExp(`^Remove ${entry} \\d+$`) });
  const add = list.getByRole("button", { name: `Add ${entry.toLowerCase()}`, exact: true });
  // Each click takes the focus from the empty field of the previous row, whose problem then appears above the button.
  for (let count = await remove.count(); count < length; count++) await add.click();
  for (let count = await remove.count(); count > length; count--) await remove.last().click();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
