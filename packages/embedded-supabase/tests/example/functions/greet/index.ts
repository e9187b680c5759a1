declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): void;
};

Deno.serve(async (request) => {
  const { name } = await request.json();
  return Response.json({ greeting: `${Deno.env.get("GREETING")}, ${name}` });
});

// Makes this file a module.
export {};
