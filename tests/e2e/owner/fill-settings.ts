// Fills in the forms under /manage/settings through their labelled controls.
import type { Locator, Page } from "@playwright/test";
import type { SectionName, SiteSettings } from "../../../app/config/site-schema.ts";
import { fieldsOf } from "../../../app/manage/settings/fields.ts";

type Field = ReturnType<typeof fieldsOf>[number];

/** Opens the form of a section from the list of settings. */
export async function openSection(page: Page, title: string): Promise<void> {
  await page
    .getByRole("list", { name: "Sections" })
    .getByRole("link", { name: title, exact: true })
    .click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
}

/** Fills in every field except images and the list of services. */
export async function fillSection<Name extends SectionName>(
  page: Page,
  section: Name,
  document: SiteSettings[Name],
): Promise<void> {
  const values = new Map<string, unknown>(Object.entries(document));
  for (const field of fieldsOf(section)) await fillField(page, field, values.get(field.name));
}

async function fillField(page: Page, field: Field, value: unknown): Promise<void> {
  const form = page.getByRole("main");
  switch (field.kind) {
    case "services":
    case "image":
      return;
    case "switch":
      return form.getByRole("switch", { name: field.label }).setChecked(value === true);
    case "parts":
      for (const part of field.parts) {
        const isShown = !listOf(value).includes(part.value);
        await form.getByRole("switch", { name: part.label }).setChecked(isShown);
      }
      return;
    case "timeZone":
    case "country":
      await control(form, field.label).selectOption(String(value));
      return;
    case "list":
    case "rows": {
      const list = form.getByRole("group", { name: field.label, exact: true });
      const entries = listOf(value);
      await resize(list, field.entry, entries.length);
      for (const [index, entry] of entries.entries()) {
        if (field.kind === "list") {
          await control(list, `${field.entry} ${index + 1}`).fill(String(entry));
          continue;
        }
        const row = new Map<string, unknown>(Object.entries(Object(entry)));
        for (const column of field.fields) {
          await control(list, column.label)
            .nth(index)
            .fill(String(row.get(column.name)));
        }
      }
      return;
    }
    default:
      return control(form, field.label).fill(String(value ?? ""));
  }
}

function control(form: Locator, label: string): Locator {
  const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return form.getByLabel(new RegExp(`^${escaped}( \\(optional\\))?$`));
}

/** Adds or removes entries until there are so many. */
async function resize(list: Locator, entry: string, length: number): Promise<void> {
  const remove = list.getByRole("button", { name: new RegExp(`^Remove ${entry} \\d+$`) });
  const add = list.getByRole("button", { name: `Add ${entry.toLowerCase()}`, exact: true });
  // Each click leaves the empty field of the row before it, whose problem appears above the button.
  for (let count = await remove.count(); count < length; count++) await add.click();
  for (let count = await remove.count(); count > length; count--) await remove.last().click();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
