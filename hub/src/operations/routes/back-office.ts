import { z } from 'zod'
import { knownProviders } from '../../accounts/providers/providers.ts'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { anyRecord, fields, pageOf, typedObject } from '../../http/routing/field-schemas.ts'
import { collectionRecords, scaffolds } from '../../records/engine/collection-model.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest, notFound, type FieldError } from '../../records/model/record-error.ts'
import { listRecords, whyUnreadable } from '../../records/reading/query.ts'
import { logCollections, logRecords } from '../logs/search/log-records.ts'

const notListed: FieldError = { code: 'validation_in_invalid', message: 'Must be a valid value.' }

const listCollections = defineRoute('GET /api/collections', {
  tag: 'back-office',
  summary: 'The collections with their fields and access rules',
  access: 'admin',
  response: pageOf(anyRecord),
  handle({ c, query }, { engine }: { readonly engine: Engine }) {
    const models = collectionRecords(engine)
    return listRecords(models.engine, models.collection, factsOf(c), query)
  },
})

const readScaffolds = defineRoute('GET /api/collections/meta/scaffolds', {
  tag: 'back-office',
  summary: 'Templates of new collections',
  access: 'admin',
  response: z.object({ base: typedObject(), auth: typedObject(), view: typedObject() }),
  picksFields: true,
  handle: () => scaffolds,
})

const listKnownProviders = defineRoute('GET /api/collections/meta/oauth2-providers', {
  tag: 'back-office',
  summary: 'The sign-in providers that this hub knows',
  access: 'admin',
  response: z.array(z.object({ name: z.string(), displayName: z.string(), logo: z.string() })),
  picksFields: true,
  handle: () => knownProviders,
})

const checkFilter = defineRoute('GET /api/vedette/filter', {
  tag: 'back-office',
  summary: 'Whether a filter and a sort are valid; if not, the reason and the position of the character',
  access: 'admin',
  query: z.object({ collection: z.string().default(''), filter: z.string().default(''), sort: z.string().default('') }),
  response: z.object({ ok: z.boolean(), message: z.string().optional(), at: z.number().optional() }),
  handle({ c, query: { collection, filter, sort } }, { engine }: { readonly engine: Engine }) {
    const known = collection === logRecords.name ? logCollections : engine.collections
    const found = known.find(collection)
    if (found === undefined) throw badRequest('', { collection: notListed })
    const why = whyUnreadable({ ...engine, collections: known }, found, factsOf(c), { filter, sort })
    return why === undefined ? { ok: true } : { ok: false, ...why }
  },
})

const testStorage = defineRoute('POST /api/settings/test/s3', {
  tag: 'back-office',
  summary: 'Refused: this hub stores no files in S3',
  access: 'admin',
  body: fields(z.object({ filesystem: z.enum(['storage', 'backups']).optional().catch(undefined) })),
  response: 'refused',
  async handle({ body }) {
    const { filesystem } = await body()
    const message = 'Failed to test the S3 filesystem.'
    if (filesystem === undefined) throw badRequest(message, { filesystem: notListed })
    throw badRequest(`${message} Raw error: \nS3 storage filesystem is not enabled.`)
  },
})

const makeAppleSecret = defineRoute('POST /api/settings/apple/generate-client-secret', {
  tag: 'back-office',
  summary: 'Refused: this hub has no sign-in with Apple',
  access: 'admin',
  response: 'refused',
  handle() {
    throw badRequest('This hub does not sign people in at Apple.')
  },
})

const readRecordFile = defineRoute('GET /api/files/:collection/:record/:file', {
  tag: 'back-office',
  summary: 'Always 404: no collection stores files',
  access: 'anyone',
  response: 'refused',
  handle() {
    throw notFound()
  },
})

const refusedChanges = (
  [
    ['POST', '/api/collections'],
    ['PUT', '/api/collections'],
    ['PATCH', '/api/collections'],
    ['DELETE', '/api/collections'],
    ['POST', '/api/collections/:collection'],
    ['PUT', '/api/collections/:collection'],
    ['DELETE', '/api/collections/:collection'],
    ['DELETE', '/api/collections/:collection/truncate'],
    ['POST', '/api/collections/meta/dry-run-view'],
  ] as const
).map(([method, path]) =>
  defineRoute(`${method} ${path}`, {
    tag: 'back-office',
    summary: 'Refused: the collections of this hub are fixed',
    access: 'admin',
    response: 'refused',
    handle() {
      throw badRequest('The collections of this hub are fixed.')
    },
  }),
)

/**
 * List of the HTTP routes, beside those of records, that admin tools for PocketBase call, such as `GET /api/collections`. Routes for
 * features that this hub lacks, such as S3 storage, respond with an error that gives the reason.
 */
export const backOfficeRoutes = [
  listCollections,
  readScaffolds,
  listKnownProviders,
  checkFilter,
  testStorage,
  makeAppleSecret,
  readRecordFile,
  ...refusedChanges,
]

const adminAreas = ['settings', 'logs', 'crons', 'sql', 'collections/meta'].map((area) => `/api/${area}/*` as const)

/**
 * HTTP routes for unknown paths below those `/api/` paths that only admins may use. Admins get 404, others 401 or 403, so that guests
 * cannot find out which paths exist. Register them after every other route.
 */
export const closedAddresses = [...adminAreas, '/api/collections' as const, '/api/collections/:collection' as const].map((path) =>
  defineRoute(`ALL ${path}`, {
    tag: 'back-office',
    summary: 'Every other request to an area of admins',
    access: 'admin',
    response: 'refused',
    handle() {
      throw notFound()
    },
  }),
)
