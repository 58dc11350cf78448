import type { AlertKind } from '../../api/alert-kinds.ts'
import { alertSentence } from '../../api/alert-sentence.ts'
import type { RuleLevels } from '../../api/system-alerts.ts'
import type { NumberFormats } from '../../format/formats.ts'
import { formatThreshold } from '../../format/threshold.ts'
import * as words from '../../words/messages.js'

type RuleValues = { readonly value: number; readonly minutes: number; readonly levels: RuleLevels | undefined }

/**
 * Returns the condition of an alert rule as a translated sentence, with all its thresholds: "Warning above 70 % for 10 min, critical above
 * 90 % for 1 min, resolves at 60 %".
 */
export function ruleSentence(kind: AlertKind, rule: RuleValues, formats: NumberFormats): string {
  const { warning, warningMinutes = rule.minutes, clear } = rule.levels ?? {}
  const shown = (level: number): string => formatThreshold(level, kind.unit, formats)
  const sentence =
    warning === undefined
      ? alertSentence(kind, rule, formats)
      : levelsSentence(kind, { warning: shown(warning), warningMinutes, level: shown(rule.value), minutes: rule.minutes })
  return clear === undefined ? sentence : `${sentence}, ${words.policy_clears({ level: shown(clear) })}`
}

type LevelTexts = Parameters<typeof words.alert_levels_above>[0]

function levelsSentence({ direction, isForecast }: AlertKind, texts: LevelTexts): string {
  if (direction === 'above') return words.alert_levels_above(texts)
  return isForecast === true ? words.alert_levels_forecast(texts) : words.alert_levels_below(texts)
}
