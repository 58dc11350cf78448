import { listOf, numberOf, recordOf, textOf, type JsonRecord } from '../../api/json.ts'

/**
 * Formats rate limit rules as text, one line per rule: label, requests per seconds, and audience if any, as in `POST /api/batch 3/1s
 * @guest`.
 */
export const rateRulesText = (rules: unknown): string =>
  listOf(rules)
    .map((rule) => {
      const { label, maxRequests, duration, audience } = recordOf(rule)
      const limit = `${numberOf(maxRequests) ?? ''}/${numberOf(duration) ?? ''}s`
      return [textOf(label), limit, textOf(audience)].filter((part) => part !== undefined).join(' ')
    })
    .join('\n')

/**
 * Parses the text of the rate limit rules' field, one rule per line, into a list of rules. A line that cannot be parsed becomes a rule with
 * null numbers, so that the hub rejects it with a reason.
 */
export const rateRulesIn = (text: string): readonly JsonRecord[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '')
    .map((line) => {
      const [, label, most, seconds, audience = ''] = /^(.+) (\d+)\/(\d+) ?s?(?: (@\w+))?$/.exec(line) ?? []
      if (label === undefined) return { label: line, audience: '', maxRequests: null, duration: null }
      return { label, audience, maxRequests: Number(most), duration: Number(seconds) }
    })
