import { serviceCount } from "../config/service-catalogue.ts";
import { site } from "../config/site.ts";
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
import type { Route } from "./+types/home-page";
import { About } from "./about.tsx";
import { Approach } from "./approach.tsx";
import { Hero } from "./hero.tsx";

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
  return pageMeta(
    { matches },
    {
      title: "Life Insurance & Financial Planning | Secure Your Family's Future",
      description: `${site.adviser.name} is an independent adviser for life insurance and financial planning in ${site.address.city}. Clear answers, your numbers, no pressure.`,
      path: "/",
      jsonLd: (siteUrl) => [business(siteUrl), adviser(siteUrl), website(siteUrl)],
    },
  );
}

export default function HomePage({ loaderData, actionData }: Route.ComponentProps) {
  useLiveRefresh("posts", "testimonials");
  return (
    <>
      <Hero />
      <About />
      <section id="services" className="section">
        <div className="wrap">
          <h2 className="text-3xl">My Services</h2>
          <p className="mt-4 max-w-xl text-lg text-muted">
            {serviceCount} tools, chosen for your situation and explained before you decide.
          </p>
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
