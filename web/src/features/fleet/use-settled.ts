import { useEffect, useState } from 'react'

/** React hook: returns true once the component has been mounted for `delayMs`, before that false. */
export function useSettled(delayMs: number): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return isSettled
}
