/** In hexadecimal. Without https, browsers compute no hashes. */
export async function sha256(content: BufferSource): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", content);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
