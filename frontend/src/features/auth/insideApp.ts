/** Matches the names of browsers inside other apps: Android's WebView, and those of Facebook, Instagram and TikTok. */
const IN_APP = /; wv\)|\bFBA[NV]\/|\bFB_IAB\/|\bInstagram\b|\bBytedanceWebview\b|\bmusical_ly/u;

/** Whether the page is shown by another app, which opened a link to it. Google refuses to sign players in there. */
export function isInsideAnotherApp(): boolean {
  return IN_APP.test(navigator.userAgent);
}
