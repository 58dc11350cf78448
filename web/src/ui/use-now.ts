import { useEffect, useState } from 'react'

/** The time, epoch ms, renewed every `intervalMs`: for ages and for what turns stale. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
