import { importTests } from '../tools/import-tests.ts'

await importTests('agent')
