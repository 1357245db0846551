import { useState } from "react";
import type { Game } from "@/features/games/api";
import styles from "./GameArt.module.css";

const seeds = [
  [-4, -3],
  [4, -4],
  [-3, 4],
  [4, 4],
] as const;

function Ajua() {
  const pits = [40, 70, 100, 130, 160];
  return (
    <>
      <rect x="16" y="26" width="168" height="68" rx="34" className={styles.wood} />
      {pits.flatMap((x, column) =>
        [46, 74].map((y, row) => (
          <g key={`${x}-${y}`}>
            <circle cx={x} cy={y} r="11" className={styles.pit} />
            {seeds.slice(0, ((column * 2 + row * 3) % 4) + 1).map(([dx, dy]) => (
              <circle key={`${dx}${dy}`} cx={x + dx} cy={y + dy} r="3.2" className={styles.seed} />
            ))}
          </g>
        )),
      )}
    </>
  );
}

function Maneno() {
  const tiles = [
    { letter: "N", x: 24, y: 44, turn: -8 },
    { letter: "E", x: 64, y: 30, turn: 5 },
    { letter: "N", x: 104, y: 42, turn: -4 },
    { letter: "O", x: 144, y: 28, turn: 9 },
  ];
  return (
    <>
      {tiles.map(({ letter, x, y, turn }) => (
        <g key={x} transform={`rotate(${turn} ${x + 18} ${y + 22})`}>
          <rect x={x} y={y} width="38" height="46" rx="9" className={styles.tile} />
          <text x={x + 19} y={y + 33} className={styles.letter}>
            {letter}
          </text>
        </g>
      ))}
    </>
  );
}

function Duma() {
  return (
    <>
      <circle cx="58" cy="40" r="22" className={styles.sun} />
      <path d="M0 104h200M18 92h34M8 78h26M120 96h50" className={styles.speed} />
      <path
        d="M38 76c14-20 34-26 58-22 14 2 24-2 32-12l6 6 14 2c6 1 9 7 5 11l-16 4c-6 8-14 11-24 11l14 18h-9L100 80c-12 2-20 1-28-3L56 94H46l12-20c-10-2-16 0-22 6-5 5-12 4-14-1 6 1 10-1 16-3Z"
        className={styles.duma}
      />
      <path d="M74 62h3M86 60h3M98 62h3M80 69h3M92 69h3M106 67h3M112 58h3" className={styles.spots} />
      <path d="M130 52l3-10 9 7Z" className={styles.duma} />
      <circle cx="143" cy="50" r="2.4" className={styles.pit} />
    </>
  );
}

function DefaultArt() {
  return (
    <>
      <circle cx="100" cy="60" r="38" className={styles.tile} />
      <path d="M90 44c-2-1-4 0-4 3v26c0 3 2 4 4 3l22-13c2-1 2-5 0-6Z" className={styles.playing} />
    </>
  );
}

const drawings = [
  { name: /ajua/i, Drawing: Ajua, tone: styles.ajua },
  { name: /maneno/i, Drawing: Maneno, tone: styles.maneno },
  { name: /duma/i, Drawing: Duma, tone: styles.dash },
];

/** A game's icon, or our own drawing when it has none. */
export function GameArt({ game }: { readonly game: Game }) {
  const [broken, setBroken] = useState(false);
  const { Drawing, tone } = drawings.find(({ name }) => name.test(game.name)) ?? {
    Drawing: DefaultArt,
    tone: "",
  };
  return (
    <div className={`${styles.art} ${tone}`}>
      {game.gameIcon && !broken ? (
        <img
          src={game.gameIcon}
          alt=""
          width={200}
          height={120}
          loading="lazy"
          onError={() => setBroken(true)}
        />
      ) : (
        <svg viewBox="0 0 200 120" aria-hidden="true" preserveAspectRatio="xMidYMid slice">
          <Drawing />
        </svg>
      )}
    </div>
  );
}
