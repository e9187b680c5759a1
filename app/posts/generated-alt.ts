/** The description of a post's picture (section 9). */
export function generatedAlt(title: string): string {
  return `Blog post image for ${title}`;
}
