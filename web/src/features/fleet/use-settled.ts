import { useEffect, useState } from 'react'

/** Whether the component has been on the page for `delayMs`. */
export function useSettled(delayMs: number): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return isSettled
}
