import { defaultSettings, isFictional } from "../site.ts";
import { type SectionName, type SiteSettings, sectionNames } from "../site-schema.ts";
import { type Check, count, problem, type SiteFacts, warning } from "./check.ts";
import { checkName } from "./name-check.ts";

/** What the pages say: samples, the fictional firm, licences, disclosures, links, names. */
export function checkContent(facts: SiteFacts): Check[] {
  return [
    ...checkReadable(facts),
    ...checkSamples(facts),
    ...checkFiction(facts),
    ...checkLicences(facts),
    ...checkDisclosures(facts),
    ...facts.brokenLinks.map(({ name, url, reason }) =>
      warning(
        "broken-link",
        "/manage/settings/contact",
        `The link ${name} (${url}) does not work (${reason}): correct it under /manage/settings/contact.`,
      ),
    ),
    ...checkName(facts),
  ];
}

function checkReadable({ content }: SiteFacts): Check[] {
  return (content?.unreadableSections ?? []).map((section) => {
    const page = `/manage/settings/${section}`;
    return problem(
      `unreadable-${section}`,
      page,
      `Visitors see an earlier version of the section ${section} of the settings, because the site cannot read what was published last: correct it and publish it again under ${page}.`,
    );
  });
}

function checkSamples({ settings, content }: SiteFacts): Check[] {
  const page = "/manage/settings/site";
  const checks: Check[] = [];
  if (content && content.samplePosts > 0) {
    const posts = count(content.samplePosts, "sample post");
    checks.push(
      problem("sample-posts", page, `The blog shows ${posts}: remove them under ${page}.`),
    );
  }
  const testimonials = (content?.sampleTestimonials ?? 0) + (settings.testimonials.samples ? 5 : 0);
  if (testimonials > 0) {
    checks.push(
      problem(
        "sample-testimonials",
        page,
        `The site shows ${count(testimonials, "review")} by people who do not exist, which 16 CFR 465.2 forbids: remove them under ${page}.`,
      ),
    );
  }
  if (content && content.shippedImages.length > 0) {
    checks.push(
      warning(
        "shipped-images",
        "/manage/settings/home",
        `The site shows images that came with it (${some(content.shippedImages)}): upload your own under /manage/settings/home and /manage/settings/adviser, and in your posts.`,
      ),
    );
  }
  return checks;
}

function checkFiction({ settings, content }: SiteFacts): Check[] {
  const checks = fictionalSections(settings).map((section) =>
    problem(
      `fictional-${section}`,
      `/manage/settings/${section}`,
      `The section ${section} of the settings still names the fictional firm: write your own under /manage/settings/${section}.`,
    ),
  );
  // Of the fictional firm itself, the check of its names says enough.
  if (checks.length === 0 && isSame(settings.services, defaultSettings.services)) {
    checks.push(
      warning(
        "starting-services",
        "/manage/settings/services",
        "The services have only the texts that came with the site, which make promises in your name: read and change them under /manage/settings/services.",
      ),
    );
  }
  if (content && content.fictionalPosts.length > 0) {
    checks.push(
      problem(
        "fictional-posts",
        "/blog",
        `Posts name the fictional firm (${some(content.fictionalPosts)}): edit or delete them on /blog.`,
      ),
    );
  }
  if (content && content.fictionalTestimonials.length > 0) {
    checks.push(
      problem(
        "fictional-testimonials",
        "/manage/testimonials",
        `Reviews name the fictional firm (by ${some(content.fictionalTestimonials)}): delete them under /manage/testimonials.`,
      ),
    );
  }
  return checks;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function fictionalSections(settings: SiteSettings): SectionName[] {
  return sectionNames.filter((name) => isFictional(JSON.stringify(settings[name])));
}

const page = "/manage/settings/licences";
/** Days before a licence expires. */
const soon = 60;

function checkLicences({ settings, now }: SiteFacts): Check[] {
  const { licences } = settings.licences;
  if (licences.length === 0) {
    return [problem("no-licence", page, `The site shows no licence: enter yours under ${page}.`)];
  }
  const today = now.toISOString().slice(0, 10);
  const limit = new Date(now.getTime() + soon * 24 * 60 * 60_000).toISOString().slice(0, 10);
  return licences.flatMap(({ state, type, expires }) => {
    if (!expires || expires > limit) return [];
    const what = `The licence for ${type} in ${state}`;
    return expires < today
      ? problem(
          "licence-expired",
          page,
          `${what} expired on ${expires}: renew it, then enter the new date under ${page}.`,
        )
      : warning(
          "licence-expires",
          page,
          `${what} expires on ${expires}: renew it, then enter the new date under ${page}.`,
        );
  });
}

function checkDisclosures({ settings }: SiteFacts): Check[] {
  const { footer } = settings.disclosures;
  if (footer.some((text) => text.trim() !== "")) return [];
  const at = "/manage/settings/disclosures";
  return [problem("no-disclosures", at, `The footer has no disclosures: write them under ${at}.`)];
}

/** The first three of a list. */
function some(items: readonly string[]): string {
  const rest = items.length - 3;
  return [...items.slice(0, 3), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
