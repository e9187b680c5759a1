/**
 * Marks the document before its first paint where a session is stored. Every page is rendered for visitors; with the mark,
 * app.css hides what is wrong for a signed-in user until the scripts have started.
 * @param nonce marks the inline scripts of this rendering
 * @param key of the session in `browserStorage`
 */
export function markSession(html: string, nonce: string, key: string): string {
  const script = `try{localStorage["${key}"]&&(document.documentElement.dataset.session="")}catch{}`;
  return html.replace("<head>", () => `<head><script nonce="${nonce}">${script}</script>`);
}
