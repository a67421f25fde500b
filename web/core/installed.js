// Lets a phone keep the station as an app: the browser's worker keeps the page for when it does not answer. Browsers
// have workers where the connection is trusted (https, or the station's own screen), and nowhere else.

const LATER_MS = 5000; // who opens a page as a game begins shall not wait for it
addEventListener("load", () => setTimeout(() => navigator.serviceWorker?.register("/service-worker.js").catch(() => {}), LATER_MS));

// The browser may show a page again as it was left: what the station wrote into it is old then. Others have a live line, or
// hold what somebody is writing.
addEventListener("pageshow", (event) => {
  if (event.persisted && /^\/(join|history|health)/.test(location.pathname)) location.reload();
});
