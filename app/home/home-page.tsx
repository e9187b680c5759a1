import { Check, Phone } from "lucide";
import { Fragment } from "react";
import { Link } from "react-router";
import { siteContext } from "../config/request-context.ts";
import { type HomeSection, siteOf, useSite } from "../config/use-site.ts";
import { contactAction } from "../contact/contact-action.ts";
import { ContactSection } from "../contact/contact-section.tsx";
import { tryLoading } from "../loading/loaded.tsx";
import { PostCarousel } from "../posts/post-carousel.tsx";
import { listNewestPosts } from "../posts/posts.ts";
import { findFormerPath } from "../seo/former-path.ts";
import { type About, adviser, business, website } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { ServiceGrid } from "../services/service-grid.tsx";
import { getVisitorClient, readPublicSettings } from "../supabase/browser-client.ts";
import { clientContext, type VisitorClient } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { TestimonialCarousel } from "../testimonials/testimonial-carousel.tsx";
import { listTestimonials } from "../testimonials/testimonials.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { BackgroundLinks } from "../ui/external-link.tsx";
import { Icon } from "../ui/icon.ts";
import { Image } from "../ui/image.tsx";
import { Portrait } from "../ui/portrait.tsx";
import type { Route } from "./+types/home-page";
import { Approach } from "./approach.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { home, testimonials: options } = context.get(siteContext).site;
  const client = context.get(clientContext);
  // WordPress: /?p=12
  const moved = await findFormerPath(client, request);
  if (moved) throw moved;
  const { testimonials, posts } = startLoading(
    Promise.resolve(client),
    options.samples,
    home.hidden,
  );
  return { testimonials: await testimonials, posts: await posts };
}

export async function clientLoader() {
  return startLoading(getVisitorClient(), readPublicSettings().hasSampleTestimonials);
}

/** Handles the contact form without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const client = context.get(clientContext);
  return contactAction(request, { client, page: "/", quoteServer: true });
}

/** @param hidden sections whose data the page does not need */
function startLoading(
  client: Promise<VisitorClient>,
  hasSamples: boolean,
  hidden: readonly HomeSection[] = [],
) {
  const nothing = { value: [] };
  return {
    testimonials: hidden.includes("testimonials")
      ? nothing
      : tryLoading("testimonials", client, (ready) => listTestimonials(ready, hasSamples, 0, 5)),
    posts: hidden.includes("blog")
      ? nothing
      : tryLoading("posts", client, (ready) => listNewestPosts(ready, 9)),
  };
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches }, { ...siteOf(matches).pages.home, path: "/" });
}

export function structuredData(about: About) {
  return [business(about), adviser(about), website(about)];
}

export default function HomePage({ loaderData, actionData }: Route.ComponentProps) {
  useLiveRefresh("posts", "testimonials");
  const { hidden, order } = useSite().home;
  const sections = {
    about: <AboutAdviser />,
    services: <Services />,
    approach: <Approach />,
    testimonials: <TestimonialCarousel list={loaderData.testimonials} />,
    blog: <PostCarousel list={loaderData.posts} />,
    contact: <ContactSection actionData={actionData} />,
  };
  return (
    <>
      <Hero />
      {order
        .filter((section) => !hidden.includes(section))
        .map((section) => (
          <Fragment key={section}>{sections[section]}</Fragment>
        ))}
    </>
  );
}

/** Without an image, the text has the width of the page. */
function Hero() {
  const { home, pages, closed } = useSite();
  const { hero, introduction, assurances } = home;
  return (
    <section className={hero || assurances.length > 0 ? "" : "pb-8 md:pb-12"}>
      {/* The image extends to the edge of the window, the text to that of the page. */}
      <div
        className={
          hero
            ? "grid lg:grid-cols-[minmax(0,1fr)_minmax(0,35rem)_minmax(0,39rem)_minmax(0,1fr)]"
            : "mx-auto max-w-[74rem]"
        }
      >
        <div
          className={`px-[clamp(1.25rem,4vw,2.5rem)] pt-10 pb-10 sm:pt-14 lg:py-[clamp(2.5rem,7vh,5rem)] ${hero ? "lg:col-start-2 lg:row-start-1 lg:self-center lg:pr-14" : ""}`}
        >
          {/* First, so that it is on the first screen whatever the texts below it are. */}
          <BackgroundLinks className="mb-6 text-sm" />
          {/* Smaller for a word that would not fit into a line. */}
          <h1
            className={`${/\S{17}/.test(home.headline) ? "text-3xl" : "text-4xl"} ${hero ? "" : "max-w-4xl"}`}
          >
            {home.headline}
          </h1>
          {introduction && (
            <p className="mt-6 max-w-xl text-lg whitespace-pre-line text-muted">{introduction}</p>
          )}
          <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
            <ConsultationLink className={buttonClass("primary")}>{home.button}</ConsultationLink>
            {!closed.includes("/savings-calculator") && (
              <Link
                to="/savings-calculator"
                className="py-2 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-6 hover:text-pine"
              >
                {`Try the calculator${pages.hidden.join().includes("Calculator") ? "" : "s"}`}
              </Link>
            )}
          </div>
          <Person />
        </div>
        {hero && (
          <Image
            {...hero}
            sizes="(min-width: 64rem) 55vw, 100vw"
            priority
            // The house of the first one stays in view where its sides are cut off.
            className="image aspect-[5/4] w-full [&[src*='/neutral/']]:object-right sm:aspect-[2/1] lg:col-start-3 lg:col-end-5 lg:row-start-1 lg:aspect-auto lg:h-full lg:rounded-bl-lg"
          />
        )}
      </div>
      {assurances.length > 0 && (
        <dl
          className={`wrap grid divide-line py-10 max-md:divide-y md:divide-x md:py-14 ${assuranceColumns[assurances.length - 1]}`}
        >
          {assurances.map(({ title, text }) => (
            <div key={title} className="max-md:py-5 md:px-8 md:first:pl-0 md:last:pr-0">
              <dt className="font-serif text-xl text-evergreen">{title}</dt>
              <dd className="mt-1 whitespace-pre-line text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Whom visitors would talk to, and the phone. A firm whose adviser has no name of her own yet has neither name nor title. */
function Person() {
  const { firm, adviser, contact, licensedIn } = useSite();
  const { portrait, fullName, title } = adviser;
  const { phone, phoneUrl } = contact;
  const isNamed = adviser.name !== firm.name;
  if (!isNamed && !licensedIn && !phone) return null;
  return (
    <div className="mt-8 flex items-center gap-4 text-sm">
      {portrait && <Portrait portrait={portrait} className="size-16" />}
      <div className="min-w-0">
        {isNamed && (
          <>
            <p className="text-base leading-snug font-semibold">{fullName}</p>
            {title && <p className="text-muted">{title}</p>}
          </>
        )}
        <p className="flex flex-wrap items-center gap-x-4">
          {licensedIn && <span className="text-muted">{licensedIn}</span>}
          {phone && (
            <a
              href={phoneUrl}
              className="inline-flex min-h-7 items-center gap-1.5 font-semibold text-evergreen underline-offset-4 hover:text-pine hover:underline"
            >
              <Icon drawing={Phone} className="size-4 shrink-0" />
              <span>{phone}</span>
            </a>
          )}
        </p>
      </div>
    </div>
  );
}

/** The grid classes by the number of assurances. */
const assuranceColumns = [
  "",
  "md:grid-cols-2",
  "md:grid-cols-3",
  // The third item starts the second of two rows.
  "md:max-lg:grid-cols-2 md:max-lg:gap-y-8 md:max-lg:[&>:nth-child(3)]:border-l-0 md:max-lg:[&>:nth-child(3)]:pl-0 lg:grid-cols-4",
];

function Services() {
  const { home, services } = useSite();
  const { servicesHeading, servicesLead } = home;
  return (
    <section id="services" className="section">
      <div className="wrap">
        <h2 className="text-3xl">{servicesHeading}</h2>
        {servicesLead && (
          <p className="mt-4 max-w-xl text-lg text-balance whitespace-pre-line text-muted">
            {servicesLead}
          </p>
        )}
        <div className="mt-10">
          <ServiceGrid services={services} headingLevel={3} />
        </div>
      </div>
    </section>
  );
}

/** Without a portrait, the name has its column. */
function AboutAdviser() {
  const { adviser, isDefault } = useSite();
  const { shownName, fullName, credentials, title, portrait, lead, paragraphs, bullets } = adviser;
  const heading = <h2 className="text-3xl">{`A Message from ${shownName}`}</h2>;
  const message = (
    <>
      {lead && <p className="mt-6 font-serif text-xl whitespace-pre-line text-evergreen">{lead}</p>}
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="mt-5 text-lg whitespace-pre-line">
          {paragraph}
        </p>
      ))}
    </>
  );
  const person = (credentials || (title && !isDefault)) && (
    <p className={portrait ? "mt-8" : "mt-4"}>
      {/* Directly below the heading, the name alone would repeat it. */}
      {(portrait || credentials) && <span className="block font-serif text-xl">{fullName}</span>}
      {title && <span className="block text-muted">{title}</span>}
    </p>
  );
  const list = bullets.length > 0 && (
    <ul className="mt-8 space-y-3">
      {bullets.map((bullet) => (
        <li key={bullet} className="flex gap-3 font-semibold">
          <Icon drawing={Check} className="mt-1 size-5 shrink-0 text-clay" />
          <span>{bullet}</span>
        </li>
      ))}
    </ul>
  );
  return (
    <section id="about" className="section -mt-px border-y border-line bg-sand">
      <div
        className={`wrap grid items-start gap-10 lg:grid-cols-[23rem_1fr] lg:gap-20 ${portrait ? "md:grid-cols-[15rem_1fr]" : ""}`}
      >
        {portrait ? (
          <>
            <Image
              {...portrait}
              sizes="(min-width: 26rem) 23rem, 90vw"
              className="image mx-auto aspect-[4/5] w-full max-w-92 rounded-lg"
            />
            <div className="max-w-2xl">
              {heading}
              {message}
              {list}
              {person}
            </div>
          </>
        ) : (
          <>
            <div>
              {heading}
              {person}
            </div>
            <div className="max-w-2xl *:first:mt-0">
              {message}
              {list}
            </div>
          </>
        )}
      </div>
    </section>
  );
}
