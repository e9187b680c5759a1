/** Milliseconds that a press of a form's button waits for the scripts. */
const longestWait = 8000;

/**
 * Lets a first visit paint before any script is fetched: the framework's module preloads are taken
 * out of the page, and its entry starts after `load`, when the browser is idle, or at the first
 * pointer, key or touch. What was done before is not lost: once the page listens, a slider is moved
 * again and a number typed again, which React else puts back to where the server drew it, and a button
 * is pressed again.
 *
 * When the scripts can't be loaded, the page works as it does without JavaScript: forms are sent by the
 * browser, and what `<noscript>` says is shown. A form also stops waiting for scripts that never arrive.
 * @param nonce marks the inline scripts of this rendering
 */
export function deferScripts(html: string, nonce: string): string {
  const modules: string[] = [];
  const withoutPreloads = html.replace(
    /<link rel="modulepreload" href="([^"]+)"[^>]*\/?>/g,
    (_, href: string) => {
      modules.push(href);
      return "";
    },
  );
  const parked = withoutPreloads.replace(
    /<script( nonce="[^"]*")? type="module" async="">([\s\S]*?)<\/script>/,
    (_, mark = "", code: string) =>
      `<script${mark} type="text/plain" id="entry">${reportFailure(code)}</script>`,
  );
  if (parked === withoutPreloads) return html;
  return parked.replace("</body>", `<script nonce="${nonce}">${starter(modules)}</script></body>`);
}

/** A static import that fails is an error event of its script, but the entry itself is imported by `import()`. */
function reportFailure(code: string): string {
  return code.replace(
    /(\bimport\("[^"]+"\));?\s*$/,
    '$1.catch(()=>dispatchEvent(new Event("scriptsfailed")));',
  );
}

// React takes an input event for a visitor's when the value is not the one that it saw set: the
// prototype's setter writes past it. Each step waits until the one before is rendered.
function starter(modules: string[]): string {
  return `(()=>{
let started=false,pressed=null,timer;
const changed=new Map();
const events=["pointerdown","keydown","touchstart"];
function start(){
  if(started)return;started=true;
  for(const href of ${JSON.stringify([...new Set(modules)])}){
    const link=document.createElement("link");link.rel="modulepreload";link.href=href;document.head.append(link);
  }
  const script=document.createElement("script");script.type="module";script.onerror=fail;
  script.textContent=document.getElementById("entry").textContent;document.body.append(script);
  for(const name of events)removeEventListener(name,start,true);
}
function remember(event){
  const button=event.target.closest?.("button");
  if(button&&!button.hasAttribute("popovertarget")){
    event.preventDefault();pressed=button;
    if(button.form)timer??=setTimeout(()=>pressed?.form&&release(),${longestWait});
  }
}
function release(){
  removeEventListener("click",remember,true);
  if(pressed?.form)pressed.click();
  pressed=null;
}
function fail(){
  document.documentElement.dataset.scripts="failed";
  for(const element of document.querySelectorAll("noscript"))element.outerHTML=element.textContent;
  release();
}
function keep({target}){if(target.type==="range"||target.inputMode==="decimal")changed.set(target,target.value);}
function change(value,field){
  field.value=field.defaultValue;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field),"value").set.call(field,value);
  field.dispatchEvent(new Event("input",{bubbles:true}));
}
function leave(_,field){
  if(document.activeElement!==field)field.dispatchEvent(new FocusEvent("focusout",{bubbles:true}));
}
for(const name of events)addEventListener(name,start,{capture:true,passive:true});
addEventListener("click",remember,true);
addEventListener("input",keep,true);
addEventListener("scriptsfailed",fail);
addEventListener("hydrated",()=>{
  clearTimeout(timer);
  removeEventListener("click",remember,true);
  removeEventListener("input",keep,true);
  changed.forEach(change);
  setTimeout(()=>{changed.forEach(leave);setTimeout(()=>pressed?.click());});
},{once:true});
const idle=window.requestIdleCallback??((run)=>setTimeout(run,200));
const afterLoad=()=>idle(start,{timeout:2000});
document.readyState==="complete"?afterLoad():addEventListener("load",afterLoad);
})()`.replace(/\n\s*/g, "");
}
