import { useEffect, useState } from 'react'
import { clockNow } from '../format/clock.ts'

/** The time, epoch ms, renewed every `intervalMs`: for ages and for what turns stale. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(clockNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(clockNow()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
