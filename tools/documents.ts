import { buildNow, ensureBuilt, type Build } from './built-files.ts'

const documents: Build = {
  name: 'the documents',
  workspace: 'docs',
  generate: ['node', 'tools/documents/write-documents.ts'],
  configurations: [],
  inputs: [
    'docs/*.md',
    'docs/operators/**',
    'docs/site/**',
    'SECURITY.md',
    'tools/documents/**',
    'web/build/precompress.ts',
    'web/public/static/**',
    'web/src/styles/look.css',
    'agent/src/config/**',
    'hub/src/startup/**',
    'protocol/src/wire/version.ts',
  ],
  except: /\.test\.ts$/,
}

/** Builds the HTML pages that the hub serves at `/docs/` into the folder `docs/dist`, unless they are up to date. */
export const ensureDocuments = (): Promise<void> => ensureBuilt(documents)

export const buildDocuments = (): Promise<void> => buildNow(documents)
