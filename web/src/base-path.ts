/**
 * URL path under which the hub is served, without a slash at its end; empty string at the root. In the back-office it lacks the final `/_`
 * of that page's own path.
 */
export const basePath: string = typeof document === 'undefined' ? '' : new URL(document.baseURI).pathname.replace(/(?:\/_)?\/$/, '')
