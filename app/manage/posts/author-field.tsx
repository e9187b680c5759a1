import { useId } from "react";
import { z } from "zod";
import type { Client } from "../../supabase/client-context.ts";
import { controlClass } from "../../ui/field.tsx";
import { useLiveValue } from "../live-value.ts";

const blogSchema = z.object({ authors: z.array(z.string()).default([]) });

/** The names in the settings of the blog that posts may be signed with. @throws the backend's error */
async function readAuthors(client: Client): Promise<string[]> {
  const { data, error } = await client
    .from("site_settings")
    .select("document")
    .eq("section", "blog")
    .maybeSingle();
  if (error) throw error;
  return data ? blogSchema.parse(data.document).authors : [];
}

interface AuthorFieldProps {
  /** The name of the person who writes. */
  ownName: string;
  author: string;
  disabled: boolean;
  onChange: (author: string) => void;
}

/** Chooses who signs the post. Absent while the settings name no further author. */
export function AuthorField({ ownName, author, disabled, onChange }: AuthorFieldProps) {
  const id = useId();
  const authors = useLiveValue(readAuthors, "public_site_settings");
  if (authors.state !== "loaded" || authors.value.length === 0) return null;
  const names = new Set([ownName, ...authors.value]);
  return (
    <div>
      <label htmlFor={id} className="text-sm font-semibold">
        Author
      </label>
      <select
        id={id}
        value={author}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        className={controlClass}
      >
        {[...names].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}
