export function PageHeading({ title, lead }: { title: string; lead?: string }) {
  return (
    <div className="max-w-2xl">
      <h1 className="text-3xl">{title}</h1>
      {lead && <p className="mt-4 text-lg text-balance whitespace-pre-line text-muted">{lead}</p>}
    </div>
  );
}
