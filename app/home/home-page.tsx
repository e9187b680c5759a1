import { Link } from "react-router";
import { siteOf, useSite } from "../config/use-site.ts";
import { contactAction } from "../contact/contact-action.ts";
import { ContactSection } from "../contact/contact-section.tsx";
import { PostCarousel } from "../posts/post-carousel.tsx";
import { loadPosts } from "../posts/posts.ts";
import { adviser, business, website } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { ServiceGrid } from "../services/service-grid.tsx";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { type Client, clientContext } from "../supabase/client-context.ts";
import { useLiveRefresh } from "../supabase/live.ts";
import { TestimonialCarousel } from "../testimonials/testimonial-carousel.tsx";
import { loadTestimonials } from "../testimonials/testimonials.ts";
import { buttonClass } from "../ui/button.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Image } from "../ui/image.tsx";
import type { Route } from "./+types/home-page";
import { Approach } from "./approach.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { testimonials, posts } = startLoading(context.get(clientContext));
  return { testimonials: await testimonials, posts: await posts };
}

export async function clientLoader() {
  return startLoading(getBrowserClient());
}

/** Handles the contact form without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const client = context.get(clientContext);
  return contactAction(request, { client, page: "/", quoteServer: true });
}

function startLoading(client: Client | Promise<Client>) {
  return {
    // The 5 newest (section 9).
    testimonials: loadTestimonials(client, { size: 5 }, 1),
    posts: loadPosts(client, { size: 9 }, 1),
  };
}

export function meta({ matches }: Route.MetaArgs) {
  const { adviser: person, contact } = siteOf(matches);
  const place = contact.city && ` in ${contact.city}`;
  return pageMeta(
    { matches },
    {
      title: "Life Insurance & Financial Planning | Secure Your Family's Future",
      description: `${person.name} is an independent adviser for life insurance and financial planning${place}. Clear answers, your numbers, no pressure.`,
      path: "/",
      jsonLd: (about) => [business(about), adviser(about), website(about)],
    },
  );
}

export default function HomePage({ loaderData, actionData }: Route.ComponentProps) {
  useLiveRefresh("posts", "testimonials");
  const { home } = useSite();
  return (
    <>
      <Hero />
      <About />
      <section id="services" className="section">
        <div className="wrap">
          <h2 className="text-3xl">{home.servicesHeading}</h2>
          <p className="mt-4 max-w-xl text-lg text-muted">{home.servicesLead}</p>
          <div className="mt-10">
            <ServiceGrid headingLevel={3} />
          </div>
        </div>
      </section>
      <Approach />
      <TestimonialCarousel list={loaderData.testimonials} />
      <PostCarousel list={loaderData.posts} />
      <ContactSection actionData={actionData} />
    </>
  );
}

function Hero() {
  const { home, contact } = useSite();
  return (
    <section>
      {/* The image extends to the edge of the window, the text to that of the page. */}
      <div className="grid lg:grid-cols-[minmax(0,1fr)_minmax(0,35rem)_minmax(0,39rem)_minmax(0,1fr)]">
        <div className="px-[clamp(1.25rem,4vw,2.5rem)] pt-10 pb-10 sm:pt-14 lg:col-start-2 lg:row-start-1 lg:py-24 lg:pr-14">
          <h1 className="text-4xl">{home.headline}</h1>
          <p className="mt-6 max-w-xl text-lg text-muted">{home.introduction}</p>
          <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
            <ExternalLink href={contact.schedulingUrl} className={buttonClass("primary")}>
              Book Your Private Consultation
            </ExternalLink>
            <Link
              to="/savings-calculator"
              className="py-2 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-6 hover:text-pine"
            >
              Try the calculators
            </Link>
          </div>
        </div>
        {home.hero && (
          <Image
            {...home.hero}
            sizes="(min-width: 64rem) 55vw, 100vw"
            priority
            className="image aspect-[5/4] w-full sm:aspect-[2/1] lg:col-start-3 lg:col-end-5 lg:row-start-1 lg:aspect-auto lg:h-full lg:rounded-bl-lg"
          />
        )}
      </div>
      <dl className="wrap grid divide-line py-10 max-md:divide-y md:grid-cols-3 md:divide-x md:py-14">
        {home.assurances.map(({ title, text }) => (
          <div key={title} className="max-md:py-5 md:px-8 md:first:pl-0 md:last:pr-0">
            <dt className="font-serif text-xl text-evergreen">{title}</dt>
            <dd className="mt-1 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function About() {
  const { name, portrait, lead, paragraphs, bullets } = useSite().adviser;
  return (
    <section id="about" className="section border-y border-line bg-sand">
      <div className="wrap grid items-start gap-10 lg:grid-cols-[23rem_1fr] lg:gap-20">
        {portrait && (
          <Image
            {...portrait}
            sizes="(min-width: 26rem) 23rem, 90vw"
            className="image mx-auto aspect-[4/5] w-full max-w-92 rounded-lg"
          />
        )}
        <div className="max-w-2xl">
          <h2 className="text-3xl">A Message from {name}</h2>
          {lead && <p className="mt-6 font-serif text-xl text-evergreen">{lead}</p>}
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="mt-5 text-lg">
              {paragraph}
            </p>
          ))}
          <ul className="mt-8 border-t border-line">
            {bullets.map((bullet) => (
              <li key={bullet} className="border-b border-line py-3.5 font-semibold">
                {bullet}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
