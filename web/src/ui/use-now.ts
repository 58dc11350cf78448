import { useEffect, useState } from 'react'
import { clockNow } from '../format/clock.ts'

/** React hook: returns the current time of the hub in epoch ms, updated every `intervalMs` ms. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(clockNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(clockNow()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
