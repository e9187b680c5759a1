/** All data of the firm. Edit this file for another firm. */
export const site = {
  brand: "Whitfield Lane",
  tagline: "Life insurance and financial planning, explained in plain words.",
  adviser: {
    name: "Nora Whitfield",
    title: "Independent life-insurance and financial-planning adviser",
    portrait: { src: "/images/portrait.svg", width: 800, height: 1000 },
  },
  /** The author of every post (section 9). */
  author: "Nora Whitfield",
  address: {
    street: "48 Larkspur Lane, Suite 2",
    city: "Fairmont Harbor",
    region: "OR",
    postalCode: "97415",
    country: "US",
  },
  /** The state in which the adviser is licensed. */
  areaServed: "Oregon",
  phone: "(503) 555-0142",
  email: "nora@whitfieldlane.example",
  schedulingUrl: "https://schedule.whitfieldlane.example/consultation",
  socials: [
    { name: "LinkedIn", url: "https://www.linkedin.com/company/whitfield-lane-example" },
    { name: "Facebook", url: "https://www.facebook.com/whitfieldlane.example" },
    { name: "Instagram", url: "https://www.instagram.com/whitfieldlane.example" },
  ],
  /** For dates, on the server and in every browser. */
  timeZone: "America/Los_Angeles",
  /** The five sample reviews (section 3). Switch off before going live: their authors do not exist. */
  showSampleTestimonials: true,
  disclosures: [
    "Whitfield Lane is a fictional firm. Replace this notice with your licences and disclosures.",
    "Insurance and annuity products are subject to the claims-paying ability of the issuing insurer. Nothing here is tax or legal advice.",
  ],
} as const;

export const addressLine = `${site.address.street}, ${site.address.city}, ${site.address.region} ${site.address.postalCode}`;
export const phoneUrl = `tel:+1${site.phone.replace(/\D/g, "")}`;
export const mapUrl = `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(addressLine)}`;
