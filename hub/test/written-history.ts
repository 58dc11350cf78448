import { pointsOf } from '@vedette/protocol/metrics/series'
import type { AppendedSample } from '../src/history/model/history.ts'

export const MINUTE_MS = 60_000
export const START_MS = Date.UTC(2026, 0, 10)
export const SYSTEMS = 12
/** Every so many minutes one sample of long ago comes in. */
const LATE_EVERY = 37
export const LATE_MINUTES = 500

export const systemName = (index: number): string => `system-${index}`

/** Samples of minute number `minute`: one per system, and in some minutes a late one. */
export function samplesOfMinute(minute: number): readonly AppendedSample[] {
  const samples = Array.from({ length: SYSTEMS }, (_, index) => sampleOf(index, minute, 0))
  const late = minute - LATE_MINUTES
  return minute % LATE_EVERY === 0 && late >= 0 ? [...samples, sampleOf(minute % SYSTEMS, late, 30_000)] : samples
}

function sampleOf(index: number, minute: number, afterMs: number): AppendedSample {
  return {
    system: systemName(index),
    atMs: START_MS + minute * MINUTE_MS + afterMs - (afterMs === 0 ? 0 : 1),
    kinds: {
      system: pointsOf({ 'cpu.busyPercent': (minute + index) % 100 }),
      containers: pointsOf({ 'web.memoryBytes': minute * 1024 + index }),
    },
  }
}

/** The times from `fromMs` on of all samples of one system, when minutes up to and without `minutes` were written. */
export function timesOf(index: number, minutes: number, fromMs: number): readonly number[] {
  const times: number[] = []
  const first = Math.max(0, Math.floor((fromMs - START_MS) / MINUTE_MS))
  for (let minute = first; minute < minutes; minute++)
    for (const { system, atMs } of samplesOfMinute(minute)) if (system === systemName(index) && atMs >= fromMs) times.push(atMs)
  return times.toSorted((a, b) => a - b)
}
