import { ArrowLeft, Check } from "lucide-react";
import { Link, redirect } from "react-router";
import { site } from "../config/site.ts";
import { breadcrumbs, service } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { buttonClass } from "../ui/button.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import type { Route } from "./+types/service-page";
import { ServiceIcon } from "./service-icon.tsx";
import { findService, type ServiceSection } from "./services.ts";

export function loader({ params }: Route.LoaderArgs) {
  const service = findService(params.slug);
  // Not `replace`: the unknown address has no entry of its own yet, so that would take the page before.
  if (!service) throw redirect("/");
  return service;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, description, slug } = loaderData;
  return pageMeta(
    { matches },
    {
      title: `${title} | My Expert Financial Services`,
      description,
      path: `/services/${slug}`,
      jsonLd: (siteUrl) => [
        service(siteUrl, loaderData),
        breadcrumbs(siteUrl, ["Services", "/services"], [title, `/services/${slug}`]),
      ],
    },
  );
}

export default function ServicePage({ loaderData }: Route.ComponentProps) {
  return (
    <article>
      <header className="bg-sage">
        <div className="wrap py-10 md:py-16">
          <Link
            to="/services"
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-evergreen underline-offset-4 hover:underline"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
            All Services
          </Link>
          <div className="mt-6 max-w-3xl">
            <span className="flex size-16 items-center justify-center rounded-md bg-evergreen text-paper">
              <ServiceIcon name={loaderData.icon} className="size-8" />
            </span>
            <h1 className="mt-6 text-3xl">{loaderData.title}</h1>
            <p className="mt-4 font-serif text-xl text-evergreen">{loaderData.tagline}</p>
          </div>
        </div>
      </header>
      <div className="wrap section grid gap-12 lg:grid-cols-[minmax(0,1fr)_19rem] lg:gap-16">
        <div className="max-w-[42rem]">
          <div className="space-y-5 text-lg">
            {loaderData.fullDescription.split("\n\n").map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          {loaderData.sections.map((section) => (
            <Section key={section.title} section={section} />
          ))}
        </div>
        <aside className="self-start rounded-lg bg-evergreen p-6 text-paper lg:sticky lg:top-28">
          <h2 className="text-xl">Talk it through first</h2>
          <p className="mt-2 text-mist">
            Half an hour, no cost, no paperwork. You leave with a plain answer, even if it is no.
          </p>
          <ExternalLink href={site.schedulingUrl} className={`${buttonClass("light")} mt-5 w-full`}>
            Schedule a Consultation
          </ExternalLink>
        </aside>
      </div>
    </article>
  );
}

function Section({ section }: { section: ServiceSection }) {
  return (
    <section className="mt-12 border-t border-line pt-10">
      <h2 className="text-2xl">{section.title}</h2>
      <p className="mt-4">{section.content}</p>
      {section.points && (
        <ul className="mt-5 space-y-3">
          {section.points.map((point) => (
            <li key={point} className="flex gap-3">
              <Check aria-hidden="true" className="mt-1.5 size-4.5 shrink-0 text-clay" />
              <span>{point}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
