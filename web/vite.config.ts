import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { lightClient } from './build/light-client.ts'
import { precompress } from './build/precompress.ts'
import { wordsOfOneLanguage } from './build/words.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Modules that every page needs; what only some need is left to the chunks of those. */
const everyPage = new RegExp(
  [
    'node_modules/(?:pocketbase|wouter|@tanstack)/(?!.*(?:infinite|[mM]utationO|useMutation))',
    'web/src/api/(?!last-hour|stats|series-frame|system-draft|inventory|account|storing|sessions|system-events|measurements|alert-kinds|system-alerts|system-parts|push-subscription|rehearsal|incidents|notification-settings|deliveries|mailed-link|ranges)',
    'web/src/format/(?!time|zoned|date-field|threshold|span|csv)',
    'web/src/preferences/(?!recent|stored-settings)',
    'vite/preload-helper',
    // Words of several pages would make small files of their own.
    'web/src/words/messages/(?:column_(?:actions|cpu|disk|memory|network|temperature|uptime)|alerts|all_systems|retry|systems_failed)\\.js',
    'web/src/ui/(?!menu\\.|save-file|tooltips|dialog|toaster|text-field|clipboard|segmented|select|form-error|switch|slider)',
  ].join('|'),
)

/** Parts whose own parts are loaded with them, not once they are read. */
const wholePages = /(?:fleet|system|login)-page|time-chart/

/** Ticking systems, and the words it shares with the menu of a row. */
const ticking = /web\/src\/(?:features\/fleet\/(?:selection|row-check|on-each)|words\/messages\/(?:select|pause|resume|delete_action))/

/** What several dialogs, forms or pages share: each alone would be a file smaller than what its name costs the first page. */
const shared = {
  fields:
    /node_modules\/@tanstack\/.*(?:mutationO|useMutation)|web\/src\/(?:(?:ui\/(?:text-field|form-error)|format\/(?:date-field|threshold))|words\/messages\/(?:cancel|delete_title|field_|save))/,
  places: /web\/src\/words\/messages\/(?:admin_|alerts_history|settings_profile|theme_)/,
  charts: /web\/src\/(?:chart\/use-seen|words\/messages\/(?:chart_battery\.|range_|show_more))/,
}

export default defineConfig({
  root: here,
  // Relative to the page's base, which the hub sets.
  base: './',
  plugins: [...wordsOfOneLanguage(), lightClient(), react(), tailwindcss(), precompress()],
  // For Reacts that have no such hook; this one has.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // Licence notices of what is bundled, served beside it.
    license: { fileName: 'licenses.txt' },
    target: 'es2022',
    // Every chunk is hashed and cached for ever; a data URL would be sent again with each change of its chunk.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: {
      polyfill: false,
      // What is loaded ahead with a part is listed by name where that is asked for. The first page pays for it: only whole pages are worth that.
      resolveDependencies: (file, dependencies) => dependencies.filter((one) => one.endsWith('.css') || wholePages.test(file)),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs travels in one file: many small ones compress worse and arrive later.
            { name: 'dashboard', test: everyPage, entriesAware: false },
            // What follows the first page closely, as one: each name of a file costs the first page more than its words.
            { name: 'selection', test: ticking, entriesAware: false },
            ...Object.entries(shared).map(([name, test]) => ({ name, test, entriesAware: false })),
          ],
        },
      },
    },
  },
})
