// Lets a phone keep the station as an app: the browser's worker keeps the page for when it does not answer. Browsers
// have workers where the connection is trusted (https, or the station's own screen), and nowhere else.

addEventListener("load", () => navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));
