interface SearchResultProps {
  label: string;
  caption: string;
  firm: string;
  url: string;
  title: string;
  description: string;
}

/** A page as search engines list it. */
export function SearchResult({ label, caption, firm, url, title, description }: SearchResultProps) {
  const address = url.replace(/^https?:\/\//, "").split("/");
  return (
    <figure
      aria-label={label}
      className="max-w-xl rounded-lg border border-line bg-surface px-5 py-4"
    >
      <figcaption className="text-sm text-muted">{caption}</figcaption>
      <p className="mt-3 truncate text-sm">{firm}</p>
      <p className="truncate text-sm text-muted">{address.filter(Boolean).join(" › ")}</p>
      <p className="mt-1.5 line-clamp-2 text-lg wrap-anywhere text-[#1a0dab] sm:line-clamp-1 dark:text-[#99c3ff]">
        {title}
      </p>
      <p className="mt-0.5 line-clamp-2 text-sm text-muted wrap-anywhere">{description}</p>
    </figure>
  );
}
