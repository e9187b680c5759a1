import { ArrowLeft, ArrowRight, Check, type IconNode, Minus } from "lucide";
import { Suspense } from "react";
import { Await, Link, Navigate, redirect } from "react-router";
import { findService, type ShownService } from "../config/public-site.ts";
import { siteContext } from "../config/request-context.ts";
import type { Service } from "../config/site-schema.ts";
import { type ServiceCard, siteOf, useSite } from "../config/use-site.ts";
import { ErrorPage } from "../layout/error-page.tsx";
import { type About, breadcrumbs, service } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { Disclosures } from "../ui/disclosures.tsx";
import { Icon } from "../ui/icon.ts";
import { TakingLonger } from "../ui/load-state.tsx";
import type { Route } from "./+types/service-page";

export function loader({ params, context }: Route.LoaderArgs) {
  const service = findService(context.get(siteContext).settings, params.slug);
  // Not `replace`: the unknown URL is not in the history yet, so that would replace the previous page.
  if (!service) throw redirect("/");
  // Not 301, which browsers keep: a renaming that is undone would lead them back and forth.
  if ("movedTo" in service) throw redirect(service.movedTo);
  return { service };
}

/** In the browser the page opens at once, with the title from the list of services. Its text follows. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const service: Promise<ShownService | { movedTo: string } | { error: unknown }> =
    serverLoader().then(
      (loaded) => loaded.service,
      (error) => {
        // The server redirects from a service that it does not show.
        const movedTo = error instanceof Response && error.headers.get("location");
        return movedTo ? { movedTo } : { error };
      },
    );
  return { service };
}

export function meta({ matches, params, loaderData }: Route.MetaArgs) {
  const { services, pages } = siteOf(matches);
  const loaded = loaderData && "slug" in loaderData.service ? loaderData.service : null;
  const shown = loaded ?? services.find(({ slug }) => slug === params.slug);
  if (!shown) return [];
  return pageMeta(
    { matches },
    {
      title: `${shown.title} | ${pages.serviceEnding}`,
      description: shown.description || loaded?.tagline || shown.title,
      path: `/services/${shown.slug}`,
    },
  );
}

export function structuredData(
  about: About,
  { service: shown }: Exclude<ReturnType<typeof loader>, Response>,
) {
  const { title, slug } = shown;
  return [
    service(about, shown),
    breadcrumbs(about, ["Services", "/services"], [title, `/services/${slug}`]),
  ];
}

export default function ServicePage({ loaderData, params }: Route.ComponentProps) {
  const { services, editedService } = useSite();
  const card = services.find(({ slug }) => slug === params.slug);
  return (
    <article>
      {/* With a key, the next service shows its title at once, in place of the previous service. */}
      <Suspense
        key={params.slug}
        fallback={<ServiceLoading title={card?.title ?? "Services"} icon={card?.icon} />}
      >
        <Await resolve={editedService ?? loaderData.service}>
          {(service) =>
            "movedTo" in service ? (
              <Navigate to={service.movedTo} replace />
            ) : "error" in service ? (
              <ErrorPage error={service.error} />
            ) : (
              <ServiceView service={service} />
            )
          }
        </Await>
      </Suspense>
    </article>
  );
}

function ServiceView({ service }: { service: ShownService }) {
  const { services } = useSite();
  const index = services.findIndex(({ slug }) => slug === service.slug);
  const next = services[(index + 1) % services.length];
  const { title, tagline, summary, fit, sections, questions } = service;
  const { fullDescription, description } = service;
  const text = fullDescription || (summary.length === 0 && description);
  return (
    <>
      <ServiceHeader title={title} tagline={tagline} icon={services[index]?.icon} />
      <div className="wrap section grid gap-14 lg:grid-cols-[minmax(0,1fr)_19rem] lg:gap-20">
        <div className="max-w-[42rem]">
          {summary.length > 0 && <InShort summary={summary} />}
          {text && (
            <div className="mt-12 space-y-5 text-lg whitespace-pre-line first:mt-0">
              {text.split(/\n\s*\n/).map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </div>
          )}
          <Fit fit={fit} />
          {sections.map((section) => (
            <Section key={section.title} section={section} />
          ))}
          {questions.length > 0 && <Questions questions={questions} />}
          <Disclosures texts={[service.disclosure]} />
        </div>
        <Aside />
      </div>
      {next && next.slug !== service.slug && <NextService next={next} />}
    </>
  );
}

interface ServiceHeaderProps {
  title: string;
  tagline?: string;
  icon: IconNode | undefined;
}

function ServiceHeader({ title, tagline, icon }: ServiceHeaderProps) {
  return (
    <header className="border-b border-line bg-sand">
      <div className="wrap py-8 md:py-12">
        <Link
          to="/services"
          data-screen
          className="inline-flex min-h-11 items-center gap-2 font-semibold text-evergreen underline-offset-4 hover:underline"
        >
          <Icon drawing={ArrowLeft} className="size-4" />
          All Services
        </Link>
        <div className="mt-6 grid items-start gap-x-8 gap-y-5 sm:grid-cols-[auto_1fr]">
          {icon && (
            <Icon
              drawing={icon}
              strokeWidth={1.5}
              className="size-14 text-clay sm:mt-1 sm:size-16"
            />
          )}
          <div className="max-w-3xl">
            <h1 className="text-3xl">{title}</h1>
            {tagline && <p className="mt-3 font-serif text-xl text-evergreen">{tagline}</p>}
          </div>
        </div>
      </div>
    </header>
  );
}

/** Shown while the text of a service loads. */
function ServiceLoading(header: ServiceHeaderProps) {
  return (
    <>
      <ServiceHeader {...header} />
      <div className="wrap section">
        <p role="status" className="text-muted">
          Loading service...
        </p>
        <div aria-hidden="true" className="mt-6 max-w-[42rem] space-y-3">
          <div className="skeleton h-6" />
          <div className="skeleton h-6" />
          <div className="skeleton h-6 w-2/3" />
        </div>
        <TakingLonger />
      </div>
    </>
  );
}

function InShort({ summary }: Pick<Service, "summary">) {
  return (
    <section aria-labelledby="in-short" className="border-l-2 border-clay pl-6">
      <h2 id="in-short" className="text-xl">
        In short
      </h2>
      <ul className="mt-3 space-y-2">
        {summary.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

function Fit({ fit: { content, yes, no } }: Pick<Service, "fit">) {
  if (!content && yes.length + no.length === 0) return null;
  const hasBoth = yes.length > 0 && no.length > 0;
  return (
    <section className={sectionClass}>
      <h2 className="text-2xl">Is this for you?</h2>
      {content && <p className="mt-4 whitespace-pre-line">{content}</p>}
      {yes.length + no.length > 0 && (
        <div
          className={`mt-7 grid overflow-hidden rounded-lg border border-line ${hasBoth ? "sm:grid-cols-2" : ""}`}
        >
          <FitList title="It may be, if" items={yes} icon={Check} className="bg-sage" />
          <FitList title="Probably not, if" items={no} icon={Minus} className="bg-surface" />
        </div>
      )}
    </section>
  );
}

interface FitListProps {
  title: string;
  items: string[];
  icon: IconNode;
  className: string;
}

function FitList({ title, items, icon, className }: FitListProps) {
  if (items.length === 0) return null;
  return (
    <div className={`p-6 sm:p-7 ${className}`}>
      <h3 className="text-xl">{title}</h3>
      <ul className="mt-4 space-y-3">
        {items.map((item) => (
          <li key={item} className="flex gap-3">
            <Icon drawing={icon} className="mt-1.5 size-4.5 shrink-0 text-clay" />
            <span>{item}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const sectionClass = "mt-14 border-t border-line pt-10 first:mt-0 first:border-0 first:pt-0";

function Section({ section }: { section: Service["sections"][number] }) {
  return (
    <section className={sectionClass}>
      <h2 className="text-2xl">{section.title}</h2>
      {section.content && <p className="mt-4 whitespace-pre-line">{section.content}</p>}
      {section.points.length > 0 && (
        <ul className="mt-5 list-disc space-y-2.5 pl-5 marker:text-clay">
          {section.points.map((point) => (
            <li key={point} className="pl-1.5">
              {point}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Questions({ questions }: Pick<Service, "questions">) {
  return (
    <section className={sectionClass}>
      <h2 className="text-2xl">Questions people ask</h2>
      <dl className="mt-6 space-y-6">
        {questions.map(({ question, answer }) => (
          <div key={question}>
            <dt className="font-serif text-xl text-evergreen">{question}</dt>
            <dd className="mt-1.5 whitespace-pre-line">{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Aside() {
  return (
    <aside
      data-screen
      aria-labelledby="consultation"
      className="on-deep self-start rounded-lg bg-deep p-7 text-cream lg:sticky lg:top-28"
    >
      <h2 id="consultation" className="text-xl">
        Talk it through first
      </h2>
      <p className="mt-2 text-mist">Bring your own situation and your questions.</p>
      <ConsultationLink className={`${buttonClass("light")} mt-5 w-full`}>
        Schedule a Consultation
      </ConsultationLink>
    </aside>
  );
}

interface NextServiceProps {
  next: Pick<ServiceCard, "slug" | "cardTitle" | "description">;
}

function NextService({ next: { slug, cardTitle, description } }: NextServiceProps) {
  return (
    <div data-screen className="border-t border-line">
      <div className="group relative hover:bg-sand">
        <div className="wrap flex items-center justify-between gap-8 py-10">
          <div>
            <h2 className="font-sans text-sm font-semibold tracking-normal text-clay">
              The next service
            </h2>
            <Link
              to={`/services/${slug}`}
              className="card-link mt-1 block font-serif text-2xl tracking-tight"
            >
              {cardTitle}
            </Link>
            {description && <p className="mt-1 text-muted">{description}</p>}
          </div>
          <Icon
            drawing={ArrowRight}
            className="size-7 shrink-0 text-evergreen transition-transform group-hover:translate-x-1"
          />
        </div>
      </div>
    </div>
  );
}
