import { data } from "react-router";
import { siteContext } from "../config/request-context.ts";
import { type LegalPage, legalPages } from "../config/site-pages.ts";
import { siteOf, useSite } from "../config/use-site.ts";
import NotFoundPage, { meta as notFoundMeta } from "../layout/not-found-page.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import type { Route } from "./+types/legal-page";

export function loader({ context, pattern }: Route.LoaderArgs) {
  // routes.ts has a route for each of them.
  const page = pattern.replace("/", "") as LegalPage;
  const parts = context.get(siteContext).settings.legal[page];
  return data({ page, parts }, { status: parts.length > 0 ? 200 : 404 });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData || loaderData.parts.length === 0) return notFoundMeta({ matches });
  const { page, parts } = loaderData;
  const { firm } = siteOf(matches);
  return pageMeta(
    { matches },
    {
      title: `${legalPages[page]} | ${firm.name}`,
      description: `${legalPages[page]}: ${parts.map(({ title }) => title).join(", ")}.`,
      path: `/${page}`,
    },
  );
}

export default function LegalPageView({ loaderData }: Route.ComponentProps) {
  const { editedLegal } = useSite();
  const { page } = loaderData;
  const parts = editedLegal?.[page] ?? loaderData.parts;
  if (parts.length === 0) return <NotFoundPage />;
  return (
    <article className="wrap section">
      <PageHeading title={legalPages[page]} />
      <div className="mt-12 max-w-[42rem] space-y-12">
        {parts.map(({ title, text }) => (
          <section key={title}>
            <h2 className="text-2xl">{title}</h2>
            {text.split(/\n\s*\n/).map((paragraph) => (
              <p key={paragraph} className="mt-4 whitespace-pre-line">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </div>
    </article>
  );
}
