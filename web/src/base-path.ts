/**
 * URL path under which the hub is served, without a slash at its end; empty string at the root. Derived from the page's `<base>`, for the
 * back-office without `/_`.
 */
export const basePath: string = typeof document === 'undefined' ? '' : new URL(document.baseURI).pathname.replace(/(?:\/_)?\/$/, '')
