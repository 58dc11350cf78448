import { badRequest } from '../model/record-error.ts'

/** Query parameters of a list request. */
export type ListQuery = { readonly [name: string]: string }

export type Paging = { readonly page: number; readonly perPage: number; readonly skipTotal: boolean }

const DEFAULT_PER_PAGE = 30
const MOST_PER_PAGE = 1000
const MOST_SORTS = 8
const LONGEST_SORT = 255

const yes = ['1', 't', 'T', 'true', 'TRUE', 'True']
const no = ['0', 'f', 'F', 'false', 'FALSE', 'False', '']

/** Parses page and size and applies their defaults and limits. Throws 400 for an invalid number or boolean. */
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

/**
 * Parses a sort such as `-created,+name`. A `+` that was decoded as a space counts as ascending. Throws 400 for too many, too long or empty
 * names.
 */
export function parseSort(text: string): readonly Sort[] {
  if (text === '') return []
  const sorts = text.split(',').map((one) => one.trim())
  if (sorts.length > MOST_SORTS || sorts.some((one) => one === '' || one.length > LONGEST_SORT)) throw badRequest()
  return sorts.map((one) => ({ name: one.replace(/^[+-]/, ''), descending: one.startsWith('-') }))
}
