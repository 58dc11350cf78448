/** Path under which the hub is served, without a slash at its end: `''` at the root. It is what the page's `base` says, which for the back-office is one level below. */
export const basePath: string = typeof document === 'undefined' ? '' : new URL(document.baseURI).pathname.replace(/(?:\/_)?\/$/, '')
