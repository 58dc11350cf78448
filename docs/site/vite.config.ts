/**
 * Vite options for the browser script of the documents at `/docs/`. The search library becomes a file of its own, which is loaded on the
 * first search.
 */
export default {
  // Relative to the script, so that a proxy can serve the documents below a path.
  base: './',
  logLevel: 'error',
  build: {
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    manifest: true,
    license: { fileName: 'licenses.txt' },
    reportCompressedSize: false,
    rolldownOptions: { input: 'page.js' },
  },
}
