/** As translators of browsers do: replaces every text by elements, also each that is added or changes later. Runs in the page. */
export function translatePage(): void {
  const kept = "script, style, title, noscript, textarea, option, [translate=no]";
  const own = new WeakSet<Node>();

  function translateText(text: Text): void {
    if (!text.data.trim() || own.has(text) || text.parentElement?.closest(kept) !== null) return;
    const translation = new Text(text.data);
    own.add(translation);
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.append(translation);
    outer.append(inner);
    text.replaceWith(outer);
  }

  function translateAll(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = root instanceof Text ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    texts.forEach(translateText);
  }

  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      if (target instanceof Text) translateText(target);
      addedNodes.forEach(translateAll);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}
