import { site } from "../config/site.ts";
import { Image } from "../ui/image.tsx";

const promises = [
  "Personalized Financial Strategies",
  "Dedicated Client-First Approach",
  "Long-Term Security & Growth Planning",
];

export function About() {
  const { name, title, portrait } = site.adviser;
  return (
    <section id="about" className="section border-y border-line bg-sand">
      <div className="wrap grid items-start gap-10 lg:grid-cols-[23rem_1fr] lg:gap-20">
        <Image
          src={portrait.src}
          alt={`${name}, ${title.toLowerCase()}`}
          width={portrait.width}
          height={portrait.height}
          sizes="(min-width: 26rem) 23rem, 90vw"
          className="image mx-auto aspect-[4/5] w-full max-w-92 rounded-lg"
        />
        <div className="max-w-2xl">
          <h2 className="text-3xl">A Message from {name}</h2>
          <p className="mt-6 font-serif text-xl text-evergreen">
            I became independent so that I could say no. No to a policy that pays me well and fits
            you badly, no to a plan that looks clever on paper and keeps you awake at night. You are
            the client, and the company that issues the policy is not.
          </p>
          <p className="mt-5 text-lg">
            Every plan starts with your own numbers: who relies on you, for how long, and what is
            already in place. I put the arithmetic on one page, we go through it line by line, and
            you take it home before you sign anything.
          </p>
          <ul className="mt-8 border-t border-line">
            {promises.map((promise) => (
              <li key={promise} className="border-b border-line py-3.5 font-semibold">
                {promise}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
