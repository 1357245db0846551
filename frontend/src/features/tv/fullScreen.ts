/** Gives the page the whole screen, where the browser can (not on iPhones). Call it in the handler of a tap. */
export function enterFullScreen(): void {
  document.documentElement.requestFullscreen?.({ navigationUI: "hide" }).catch(() => {});
}

export function leaveFullScreen(): void {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
}
