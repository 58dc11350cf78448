const paths = {
  mark: 'M10 2 17 5v5c0 4-3 6.7-7 8-4-1.3-7-4-7-8V5ZM5.5 10.5h2l1.5-3.5 2 6 1.5-2.5h2',
  search: 'M9 4a5 5 0 1 1 0 10A5 5 0 0 1 9 4Zm3.7 8.7L16.5 16.5',
  sun: 'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM10 2v1.8M10 16.200V18M2 10h1.800M16.200 10H18M4.300 4.300l1.300 1.300M14.400 14.400l1.300 1.300M4.300 15.700l1.300-1.300M14.400 5.600l1.300-1.300',
  moon: 'M16.500 11.800A6.800 6.800 0 1 1 8.200 3.500a5.400 5.400 0 0 0 8.300 8.300Z',
  screen: 'M3 4h14v9H3ZM7.500 16.500h5M10 13v3.500',
  person: 'M10 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM4 16.800c.7-3.300 3-5 6-5s5.300 1.700 6 5',
  plus: 'M10 4.500v11M4.500 10h11',
  dots: 'M5 10h.01M10 10h.01M15 10h.01',
  bell: 'M10 3.500a4.600 4.600 0 0 0-4.600 4.600c0 4.200-1.600 5.300-1.600 5.300h12.400s-1.600-1.100-1.600-5.300A4.600 4.600 0 0 0 10 3.500ZM8.400 16a1.900 1.900 0 0 0 3.200 0',
  copy: 'M7.500 7.500h8.500V16H7.500ZM12.500 7.500V4H4v8.500h3.500',
  close: 'M5.500 5.500l9 9M14.500 5.500l-9 9',
  check: 'M4.500 10.500l3.700 3.700 7.300-8',
  up: 'M10 15.500v-11M5.500 9 10 4.500 14.500 9',
  down: 'M10 4.500v11M5.500 11l4.500 4.500 4.500-4.500',
  sliders: 'M4 6.5h6M14 6.500h2M12 4.500v4M4 13.500h2M10 13.500h6M8 11.500v4',
  chevron: 'M5.500 8l4.500 4.500L14.500 8',
  table: 'M3.500 4.500h13v11h-13ZM3.500 8.200h13M3.500 11.900h13M8.500 4.500v11',
  compare: 'M4.500 16V9.500M10 16V4M15.500 16v-5',
  tag: 'M3.500 3.500h6.300l6.700 6.700-6.300 6.300-6.700-6.700ZM7 7h.01',
  groups: 'M3.500 4.500h13M7 8.200h9.500M7 11.800h9.500M3.500 15.500h13',
  views: 'M5.500 3.500h9v13L10 13.200l-4.500 3.300Z',
  back: 'M8 5 3.500 9.500 8 14M4 9.500h8a4.200 4.200 0 0 1 0 8.400h-2',
} as const

export type IconName = keyof typeof paths

/**
 * React component: decorative SVG icon, such as `chevron`, in the colour of its text, hidden from screen readers. `className` sets its
 * size.
 */
export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 2.6 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
