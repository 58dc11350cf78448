import { badRequest } from '../model/record-error.ts'

/** What a client may ask of a list; undefined is not asked. */
export type ListQuery = { readonly [name: string]: string }

export type Paging = { readonly page: number; readonly perPage: number; readonly skipTotal: boolean }

const DEFAULT_PER_PAGE = 30
const MOST_PER_PAGE = 1000
const MOST_SORTS = 8
const LONGEST_SORT = 255

const yes = ['1', 't', 'T', 'true', 'TRUE', 'True']
const no = ['0', 'f', 'F', 'false', 'FALSE', 'False', '']

/** Page and size as they take effect. Throws 400 for what is no whole number or no boolean. */
export function parsePaging(query: ListQuery): Paging {
  const page = whole(query['page'])
  const perPage = whole(query['perPage'])
  const skipTotal = query['skipTotal'] ?? ''
  if (!yes.includes(skipTotal) && !no.includes(skipTotal)) throw badRequest()
  return {
    page: Math.max(page ?? 1, 1),
    perPage: perPage === undefined || perPage <= 0 ? DEFAULT_PER_PAGE : Math.min(perPage, MOST_PER_PAGE),
    skipTotal: yes.includes(skipTotal),
  }
}

function whole(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^[+-]?\d{1,19}$/.test(text)) throw badRequest()
  return Number(text)
}

export type Sort = { readonly name: string; readonly descending: boolean }

/** `-created,+name`; a `+` that arrived as a space is a `+`. Throws 400 for too many, too long or empty ones. */
export function parseSort(text: string): readonly Sort[] {
  if (text === '') return []
  const sorts = text.split(',').map((one) => one.trim())
  if (sorts.length > MOST_SORTS || sorts.some((one) => one === '' || one.length > LONGEST_SORT)) throw badRequest()
  return sorts.map((one) => ({ name: one.replace(/^[+-]/, ''), descending: one.startsWith('-') }))
}
