/** Path under which the hub serves this page, without a slash at its end: `''` at the root. It is what the page's `base` says. */
export const basePath: string = typeof document === 'undefined' ? '' : new URL(document.baseURI).pathname.replace(/\/$/, '')
