import { importTests } from '../tools/import-tests.ts'

await importTests('hub')
