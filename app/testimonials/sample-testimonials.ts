/** Invented testimonials that fill the page of a new site. */
export const sampleTestimonials = [
  {
    id: "static-1",
    name: "Marisol & Dean Okafor",
    role: "Parents of two",
    content:
      "We came in certain that we needed a big permanent policy. My adviser did the math on one sheet of paper and sent us home with a term policy that fits our budget. She also noticed that my old 401(k) still named my brother. We understood every line we signed.",
    rating: 5,
    created_at: "2025-02-11T17:20:00.000Z",
  },
  {
    id: "static-2",
    name: "Harlan Voss",
    role: "Retired ferry mechanic",
    content:
      "I am slow with paperwork and she never made me feel it. We went through my pension options twice, with my wife at the table, and she called the plan office with us when the numbers did not match. It took three visits. It was worth three visits.",
    rating: 5,
    created_at: "2025-01-23T21:05:00.000Z",
  },
  {
    id: "static-3",
    name: "Priya Ramanathan",
    role: "Owner of a small bakery",
    content:
      "I had been pitched infinite banking by three people. This adviser was the first one who showed me the year I would break even and asked what happens if the oven dies before then. I decided to wait, and she told me that was a good decision although she earned nothing on it.",
    rating: 5,
    created_at: "2024-11-14T18:40:00.000Z",
  },
  {
    id: "static-4",
    name: "Joel Whitaker-Stone",
    role: "High school teacher",
    content:
      "Clear, kind and thorough. The application took longer than I had hoped because the insurer wanted old medical records, and I would have liked a warning about that at the start. She kept me posted every week and the policy is what she said it would be.",
    rating: 4,
    created_at: "2024-09-30T16:10:00.000Z",
  },
  {
    id: "static-5",
    name: "Annelise Brandt",
    role: "Widow and grandmother",
    content:
      "After Paul died I brought her a shoebox. She sorted it with me, filed the claim forms, and told me which decisions could wait a year. Nobody sold me anything. When I was ready, we made a simple plan together, and I sleep again.",
    rating: 5,
    created_at: "2024-07-18T19:30:00.000Z",
  },
] as const;
