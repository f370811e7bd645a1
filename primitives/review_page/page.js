"use strict";
(() => {
  const plan = JSON.parse(document.getElementById("package").textContent);
  const { clips, verdicts, defects, dimensions } = plan;
  const [LOWEST, HIGHEST] = plan.scale;
  const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2];
  const WATCHED = 0.95; // of a video's length, that counts as a first viewing
  const find = (id) => document.getElementById(id);
  const verdictOf = (id) => verdicts.find((verdict) => verdict.id === id);

  // ---------------------------------------------------------------- small helpers

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value != null) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  function clock(seconds) {
    const whole = Math.floor(seconds);
    const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, "0"));
    return whole >= 3600 ? `${Math.floor(whole / 3600)}:${parts.join(":")}` : parts.join(":");
  }

  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

  /** What is in a field for seconds: null for nothing, NaN for what is no number. */
  function secondsOf(text) {
    const trimmed = text.trim();
    if (trimmed === "") return null;
    const value = NUMBER.test(trimmed) ? Number(trimmed) : NaN;
    return Number.isFinite(value) ? value : NaN;
  }

  // ---------------------------------------------------------------- drafts, one for each reviewer

  const PREFIX = `blind-review/${plan.experimentId}/`;
  let stored = true; // whether this browser keeps drafts

  function keep(key, value) {
    try {
      localStorage.setItem(PREFIX + key, value);
      if (!stored) announce("Drafts are kept again.");
      stored = true;
    } catch (problem) {
      if (stored) announce(`This browser does not keep drafts (${problem.name}). Download your ratings before you close the page.`, { fault: "storage" });
      stored = false;
    }
  }

  function kept(key) {
    try {
      return localStorage.getItem(PREFIX + key);
    } catch {
      return null;
    }
  }

  const blank = () => ({ verdict: "", repair: "", sourceCompared: false, defects: [], scores: {}, notes: "", watched: false });

  /** A draft from storage, by clip and by field, so that nothing lands in a field that it was not typed into. */
  function draftOf(name) {
    let found = null;
    try {
      found = JSON.parse(kept(`draft/${name}`) ?? "null");
    } catch {
      return null;
    }
    if (found === null || typeof found !== "object") return null;
    return Object.fromEntries(clips.map(({ id }) => [id, sound(found[id])]));
  }

  /** An answer with the fields of a draft that are what they should be. */
  function sound(found) {
    const kind = (value) => (Array.isArray(value) ? "list" : typeof value);
    const answer = blank();
    for (const [field, value] of Object.entries(found ?? {})) {
      if (value !== null && field in answer && kind(value) === kind(answer[field])) answer[field] = value;
    }
    if (!verdictOf(answer.verdict)) answer.verdict = "";
    return answer;
  }

  const fresh = () => Object.fromEntries(clips.map(({ id }) => [id, blank()]));
  const touched = (form) => JSON.stringify(form) !== JSON.stringify(fresh());

  let reviewer = kept("reviewer") ?? "";
  let answers = draftOf(reviewer) ?? fresh();

  function save() {
    keep(`draft/${reviewer}`, JSON.stringify(answers));
  }

  /** Change to another reviewer: to their draft, or to an empty form; what was there before is kept, and offered. */
  function become(name) {
    if (name === "" || name === reviewer) return;
    pauseWatches();
    const before = { name: reviewer, answers };
    const draft = draftOf(name);
    const carried = draft === null && before.name === "";
    reviewer = name;
    keep("reviewer", name);
    answers = draft ?? (carried ? before.answers : fresh());
    save();
    if (carried) keep("draft/", JSON.stringify(null));
    fill();
    if (carried || (draft === null && !touched(before.answers))) return;
    const said = draft === null ? `This is an empty form for ${name}.` : `The draft of ${name} is back.`;
    const whose = before.name === "" ? "the answers typed before" : `the answers of ${before.name}`;
    const offer = touched(before.answers) ? { label: `Use ${whose} instead`, act: () => takeOver(before.answers) } : undefined;
    announce(before.name === "" ? said : `${said} That of ${before.name} is kept.`, { offer });
  }

  function takeOver(form) {
    answers = JSON.parse(JSON.stringify(form));
    save();
    fill();
    announce(`These answers are ${reviewer}'s now.`);
  }

  // ---------------------------------------------------------------- what is wrong with an answer

  /** The faults of a decided clip, the first of which stops a download; none where nothing is decided. */
  function faultsOf(answer) {
    const verdict = verdictOf(answer.verdict);
    if (!verdict) return [];
    const found = [];
    for (const { id, label, required } of dimensions) {
      if (required && answer.scores[id] === undefined) found.push({ id: `${id}-missing`, field: `score-${id}`, says: `choose a score for ${label}` });
    }
    const seconds = secondsOf(answer.repair);
    if (Number.isNaN(seconds)) found.push({ id: "repair-not-a-number", field: "repair", says: `“${answer.repair.trim()}” is no number of seconds; write 90 or 7.5, or leave it blank` });
    else if (seconds < 0) found.push({ id: "repair-negative", field: "repair", says: "the repair time cannot be less than 0" });
    else if (seconds !== null && verdict.repair === "none") found.push({ id: `${verdict.id}-with-repair-time`, field: "repair", says: `“${verdict.label}” has no repair time; leave it blank` });
    else if (seconds > 0 && verdict.repair === "zero") found.push({ id: `${verdict.id}-conflict`, field: "repair", says: `“${verdict.label}” needs no repair; leave the time blank, write 0, or decide otherwise` });
    if (answer.defects.length > 0 && !verdict.defects) found.push({ id: `${verdict.id}-conflict`, field: "defects", says: `“${verdict.label}” has no severe defect; clear the boxes or decide otherwise` });
    return found;
  }

  const stateOf = (answer) => (answer.verdict === "" ? "open" : faultsOf(answer).length ? "faulty" : "decided");
  const STATES = { open: "not decided", decided: "decided", faulty: "something is missing or contradicts" };

  // ---------------------------------------------------------------- cards

  const cards = clips.map((clip, at) => card(clip, at + 1));

  function card(clip, n) {
    const name = (part) => `clip-${n}-${part}`;
    const parts = { clip, n, name };
    parts.state = element("span", { class: "state" });
    parts.video = element("video", { id: name("video"), src: clip.file, controls: true, playsinline: true, preload: "metadata", "aria-label": `Video ${n}` });
    parts.root = element(
      "article",
      { class: "clip", id: `clip-${n}`, "aria-labelledby": name("title") },
      element("header", {}, element("h2", { id: name("title"), tabindex: "-1" }, `Video ${n}`), parts.state),
      element("div", { class: "columns" }, element("div", { class: "player" }, ...player(parts)), element("div", { class: "form" }, ...form(parts))),
    );
    parts.root.addEventListener("input", () => taken(parts));
    return parts;
  }

  function player(parts) {
    const { n, name, video } = parts;
    const options = RATES.map((rate) => element("option", { value: rate, selected: rate === 1 }, `${rate} ×`));
    parts.rate = element("select", { id: name("rate"), onchange: () => { video.playbackRate = Number(parts.rate.value); } }, ...options);
    parts.unplayable = element("p", { class: "fault-text" });
    video.addEventListener("error", () => {
      parts.unplayable.textContent = "This browser cannot play the video. Tell the coordinator, and leave the video undecided if you have not seen it.";
      refreshSource(parts);
    });
    video.addEventListener("timeupdate", () => { if (seen(video)) viewed(parts); });
    video.addEventListener("ended", () => { if (seen(video)) viewed(parts); });
    video.addEventListener("play", () => pauseOthers(video));
    const stamp = element("button", { type: "button", onclick: () => stampNotes(parts) }, "Put the time into the notes");
    return [video, parts.unplayable, element("div", { class: "tools" }, element("label", { for: name("rate") }, "Speed"), parts.rate, stamp), source(parts)];
  }

  /** Whether nearly all of a video was played, at whatever speed. */
  function seen(video) {
    let played = 0;
    for (let at = 0; at < video.played.length; at += 1) played += video.played.end(at) - video.played.start(at);
    const length = Number.isFinite(video.duration) ? video.duration : video.ended ? video.currentTime : 0; // of some recordings it is unknown
    return length > 0 && played >= WATCHED * length;
  }

  function viewed(parts) {
    const answer = answers[parts.clip.id];
    if (answer.watched) return;
    answer.watched = true;
    save();
    refreshSource(parts);
  }

  function source(parts) {
    const { clip, n, name } = parts;
    if (!clip.source) return element("p", { class: "hint" }, "The source of this video is not available.");
    parts.sourceHint = element("p", { class: "hint", id: name("source-hint") });
    parts.sourceButton = element("button", { type: "button", "aria-expanded": "false", "aria-describedby": name("source-hint"), onclick: () => openSource(parts) }, "Open the source");
    parts.sourceBox = element("div", { hidden: true });
    return element("section", { "aria-label": `Source of video ${n}` }, parts.sourceButton, parts.sourceHint, parts.sourceBox);
  }

  function refreshSource(parts) {
    if (!parts.sourceButton) return;
    const ready = answers[parts.clip.id].watched || parts.video.error !== null;
    const interval = parts.clip.source.interval;
    parts.sourceButton.disabled = !ready;
    if (!ready) closeSource(parts);
    if (!ready) parts.sourceHint.textContent = "Opens when you have watched the video once.";
    else if (interval) parts.sourceHint.textContent = `The chosen part is ${clock(interval[0])} to ${clock(interval[1])}. Look at what stands before and after it too.`;
    else parts.sourceHint.textContent = "It is not known which part was chosen.";
  }

  function openSource(parts) {
    if (!parts.sourceBox.hidden) {
      closeSource(parts);
      return;
    }
    const { file, interval } = parts.clip.source;
    if (!parts.sourceBox.firstChild) {
      const video = element("video", { src: interval ? `${file}#t=${interval.join(",")}` : file, controls: true, playsinline: true, preload: "metadata", "aria-label": `Source of video ${parts.n}` });
      video.addEventListener("play", () => pauseOthers(video));
      parts.sourceBox.append(video);
    }
    parts.sourceBox.hidden = false;
    parts.sourceButton.textContent = "Close the source";
    parts.sourceButton.setAttribute("aria-expanded", "true");
  }

  function closeSource(parts) {
    parts.sourceBox.querySelector("video")?.pause();
    parts.sourceBox.hidden = true;
    parts.sourceButton.textContent = "Open the source";
    parts.sourceButton.setAttribute("aria-expanded", "false");
  }

  function pauseOthers(playing) {
    for (const video of document.querySelectorAll("video")) if (video !== playing) video.pause();
  }

  function stampNotes({ video, notes, root }) {
    const before = notes.value === "" || notes.value.endsWith("\n") ? notes.value : `${notes.value}\n`;
    notes.value = `${before}${clock(video.currentTime)} `;
    notes.focus();
    notes.setSelectionRange(notes.value.length, notes.value.length);
    root.dispatchEvent(new Event("input"));
  }

  // ---------------------------------------------------------------- the form of a card

  function form(parts) {
    return [decision(parts), repair(parts), compared(parts), defectBoxes(parts), scores(parts), notes(parts)];
  }

  function decision(parts) {
    const { name } = parts;
    const choices = [...verdicts, { id: "", label: "Not decided", about: "stays unrated" }];
    parts.verdicts = choices.map(({ id }) => element("input", { type: "radio", name: name("verdict"), id: name(`verdict-${id || "none"}`), value: id }));
    const labels = choices.map(({ label, about }, at) =>
      element("label", {}, parts.verdicts[at], element("span", {}, label, element("span", { class: "about" }, about))));
    return element("fieldset", {}, element("legend", {}, "Decision"), element("div", { class: "choices" }, ...labels));
  }

  function repair(parts) {
    const { name } = parts;
    parts.repairFault = element("p", { class: "fault-text", id: name("repair-fault") });
    parts.repair = element("input", {
      type: "text", id: name("repair"), inputmode: "decimal", autocomplete: "off",
      "aria-describedby": `${name("repair-hint")} ${name("repair-fault")}`,
      onbeforeinput: refuseLetters,
      oninput: () => { if (watch?.parts === parts) stopWatch(); },
    });
    parts.start = element("button", { type: "button", onclick: () => toggleWatch(parts) }, "Start the stopwatch");
    parts.reset = element("button", { type: "button", onclick: () => setRepair(parts, "") }, "Clear");
    return element(
      "div",
      { class: "field" },
      element("label", { class: "label", for: name("repair") }, "Repair time in seconds"),
      element("div", { class: "repair" }, parts.repair, parts.start, parts.reset),
      element("p", { class: "hint", id: name("repair-hint") }, "Measured on a copy; you can correct it. Blank: not timed."),
      parts.repairFault,
    );
  }

  /** Words never become a time: as long as no digit stands in the field, what is typed must be part of a number. */
  function refuseLetters(event) {
    const { data, target } = event;
    if (data && !/\d/.test(target.value + data) && /[^eE+\-.,\s]/.test(data)) {
      event.preventDefault();
      announce("The repair time is a number of seconds, such as 90 or 7.5.");
    }
  }

  function compared(parts) {
    const { clip, name } = parts;
    parts.comparedHint = element("p", { class: "hint", id: name("compared-hint") });
    parts.compared = element("input", { type: "checkbox", id: name("compared"), disabled: !clip.source, "aria-describedby": name("compared-hint") });
    return element("div", { class: "field" }, element("label", { class: "check" }, parts.compared, "I compared it with the source"), parts.comparedHint);
  }

  function defectBoxes(parts) {
    const { name } = parts;
    parts.defectFault = element("p", { class: "fault-text", id: name("defects-fault") });
    parts.defects = defects.map(({ id }) => element("input", { type: "checkbox", id: name(`defect-${id}`), value: id }));
    const labels = defects.map(({ label }, at) => element("label", {}, parts.defects[at], label));
    return element(
      "fieldset",
      { id: name("defects"), "aria-describedby": name("defects-fault") },
      element("legend", {}, "Severe defects"),
      element("div", { class: "boxes" }, ...labels),
      parts.defectFault,
    );
  }

  function scores(parts) {
    parts.scores = new Map(dimensions.map((dimension) => [dimension.id, scoreSteps(parts, dimension)]));
    const rows = dimensions.map(({ id }) => parts.scores.get(id).row);
    const words = `${LOWEST} is poor, ${HIGHEST} is excellent, – is not assessed.`;
    return element("fieldset", {}, element("legend", {}, "Scores"), element("p", { class: "hint" }, words), ...rows);
  }

  function scoreSteps(parts, { id, label, required }) {
    const name = parts.name(`score-${id}`);
    const values = ["", ...Array.from({ length: HIGHEST - LOWEST + 1 }, (_, at) => String(LOWEST + at))];
    const inputs = values.map((value) =>
      element("input", { type: "radio", name, id: `${name}-${value || "none"}`, value, "aria-label": value === "" ? "not assessed" : value }));
    const fault = element("p", { class: "fault-text", id: `${name}-fault` });
    const steps = inputs.map((input, at) => element("label", {}, input, element("span", { "aria-hidden": "true" }, values[at] || "–")));
    const title = element("span", { id: `${name}-label` }, label, required ? " (required)" : "");
    const group = element("div", { class: "steps", role: "radiogroup", id: name, "aria-labelledby": `${name}-label`, "aria-describedby": `${name}-fault`, "aria-required": required ? "true" : null }, ...steps);
    return { row: element("div", { class: "score" }, title, group, fault), inputs, fault, group };
  }

  function notes(parts) {
    const { name } = parts;
    parts.notes = element("textarea", { id: name("notes"), rows: "3" });
    return element("div", { class: "field" }, element("label", { class: "label", for: name("notes") }, "Notes, with times"), parts.notes);
  }

  // ---------------------------------------------------------------- between a card and its answer

  function taken(parts) {
    const answer = answers[parts.clip.id];
    answer.verdict = parts.verdicts.find((input) => input.checked)?.value ?? "";
    answer.repair = parts.repair.value;
    answer.sourceCompared = parts.compared.checked;
    answer.defects = parts.defects.filter((input) => input.checked).map((input) => input.value);
    answer.scores = {};
    for (const [id, { inputs }] of parts.scores) {
      const chosen = inputs.find((input) => input.checked)?.value;
      if (chosen) answer.scores[id] = Number(chosen);
    }
    answer.notes = parts.notes.value;
    save();
    refresh(parts);
    refreshPage();
  }

  function fill() {
    find("reviewer").value = reviewer;
    for (const parts of cards) {
      const answer = answers[parts.clip.id];
      for (const input of parts.verdicts) input.checked = input.value === answer.verdict;
      parts.repair.value = answer.repair;
      parts.compared.checked = answer.sourceCompared && !parts.compared.disabled;
      for (const input of parts.defects) input.checked = answer.defects.includes(input.value);
      for (const [id, { inputs }] of parts.scores) for (const input of inputs) input.checked = input.value === String(answer.scores[id] ?? "");
      parts.notes.value = answer.notes;
      refresh(parts);
      refreshSource(parts);
    }
    refreshPage();
  }

  function refresh(parts) {
    const answer = answers[parts.clip.id];
    const faults = faultsOf(answer);
    const state = stateOf(answer);
    const first = (field) => faults.find((fault) => fault.field === field)?.says ?? "";
    parts.state.dataset.state = state;
    parts.state.textContent = state === "decided" ? verdictOf(answer.verdict).label : faults.length ? `Not complete: ${faults[0].says}` : "Not decided";
    const unreadable = answer.verdict === "" && Number.isNaN(secondsOf(answer.repair));
    say(parts.repairFault, unreadable ? "this is no number of seconds" : first("repair"), parts.repair);
    say(parts.defectFault, first("defects"));
    for (const [id, { fault, group }] of parts.scores) say(fault, first(`score-${id}`), group);
    parts.comparedHint.textContent = parts.compared.checked && parts.sourceBox?.hidden && !parts.sourceBox.firstChild ? "You have not opened the source on this page." : "";
    setWatch(parts);
  }

  function say(place, text, field) {
    place.textContent = text && `${text[0].toUpperCase()}${text.slice(1)}.`;
    if (text) field?.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
  }

  // ---------------------------------------------------------------- the stopwatch: at most one runs

  let watch = null;

  function toggleWatch(parts) {
    if (watch?.parts === parts) {
      pauseWatches();
      return;
    }
    pauseWatches();
    const base = secondsOf(parts.repair.value) ?? 0;
    if (Number.isNaN(base) || base < 0) {
      parts.repair.focus();
      announce("Correct the repair time before the stopwatch goes on from it.");
      return;
    }
    watch = { parts, base, since: performance.now(), timer: setInterval(tick, 200), saved: 0 };
    setWatch(parts);
  }

  const elapsed = () => Math.round((watch.base + (performance.now() - watch.since) / 1000) * 10) / 10;

  function tick() {
    watch.parts.repair.value = elapsed().toFixed(1);
    answers[watch.parts.clip.id].repair = watch.parts.repair.value;
    watch.saved += 1;
    if (watch.saved % 10 === 0) save();
  }

  function stopWatch() {
    clearInterval(watch.timer);
    const { parts } = watch;
    watch = null;
    setWatch(parts);
  }

  function pauseWatches() {
    if (watch === null) return;
    const { parts } = watch;
    const seconds = String(elapsed());
    stopWatch();
    setRepair(parts, seconds);
  }

  function setRepair(parts, text) {
    if (watch?.parts === parts) stopWatch();
    parts.repair.value = text;
    taken(parts);
  }

  function setWatch(parts) {
    const running = watch?.parts === parts;
    parts.start.classList.toggle("running", running);
    parts.start.textContent = running ? "Pause the stopwatch" : parts.repair.value.trim() === "" ? "Start the stopwatch" : "Go on timing";
    parts.reset.disabled = !running && parts.repair.value === "";
  }

  // ---------------------------------------------------------------- the page around the cards

  const links = clips.map((_, at) => element("a", { href: `#clip-${at + 1}` }, String(at + 1)));

  function refreshPage() {
    const states = clips.map(({ id }) => stateOf(answers[id]));
    states.forEach((state, at) => {
      links[at].dataset.state = state;
      links[at].setAttribute("aria-label", `Video ${at + 1}, ${STATES[state]}`);
    });
    const decided = states.filter((state) => state !== "open").length;
    find("bar").max = Math.max(1, clips.length);
    find("bar").value = decided;
    find("count").textContent = `${decided} of ${clips.length} decided`;
    listMissing(clips.length - decided);
  }

  function listMissing(open) {
    const items = [];
    if (find("reviewer").value.trim() === "") items.push(["fault", "#reviewer", "Your name or code is missing."]);
    for (const { clip, n, name } of cards) {
      for (const fault of faultsOf(answers[clip.id])) items.push(["fault", `#${name(fault.field)}`, `Video ${n}: ${fault.says}.`]);
    }
    const undecided = cards.find(({ clip }) => answers[clip.id].verdict === "");
    if (open > 0) items.push(["", `#clip-${undecided.n}`, `${open === 1 ? "1 video is" : `${open} videos are`} not decided, and will stay unrated.`]);
    if (items.length === 0) items.push(["", null, clips.length ? "Everything is complete." : "There is nothing to rate."]);
    find("missing").replaceChildren(...items.map(([kind, target, text]) =>
      element("li", { class: kind }, target ? element("a", { href: target, onclick: (event) => { event.preventDefault(); go(target); } }, text) : text)));
  }

  /** Put the focus on what a link of this page leads to. */
  function go(target) {
    const there = document.querySelector(target);
    const field = there.matches("input, textarea, [tabindex]") ? there : there.querySelector("input:checked, input, h2");
    (there.matches("article") ? there.querySelector("h2") : field).focus();
    there.scrollIntoView({ block: there.matches("article") ? "start" : "center" });
  }

  function announce(text, { fault, clip, offer } = {}) {
    const box = find("status");
    box.hidden = false;
    box.className = fault ? "notice fault" : "notice";
    box.dataset.fault = fault ?? "";
    box.dataset.clip = clip ?? "";
    box.replaceChildren(element("span", {}, text));
    if (offer) box.append(element("button", { type: "button", onclick: offer.act }, offer.label));
    box.append(element("button", { type: "button", class: "close", "aria-label": "Close this message", onclick: () => { box.hidden = true; } }, "\u00d7"));
  }

  // ---------------------------------------------------------------- the download

  function download() {
    pauseWatches();
    become(find("reviewer").value.trim());
    const name = find("reviewer").value.trim();
    if (name === "") {
      announce("Your name or code is missing. Nothing was downloaded.", { fault: "reviewer-missing" });
      go("#reviewer");
      return;
    }
    for (const { clip, n, name: part } of cards) {
      const [fault] = faultsOf(answers[clip.id]);
      if (fault) {
        announce(`Video ${n}: ${fault.says}. Nothing was downloaded.`, { fault: fault.id, clip: n });
        go(`#${part(fault.field)}`);
        return;
      }
    }
    const ratings = clips.filter(({ id }) => answers[id].verdict !== "").map(rating);
    const file = `blind-ratings-${name.replace(/[^A-Za-z0-9_-]/g, "_")}.json`;
    hand(file, { schemaVersion: plan.schemaVersion, experimentId: plan.experimentId, reviewer: name, ratings });
    const rest = clips.length - ratings.length;
    announce(`${ratings.length} ${ratings.length === 1 ? "rating is" : "ratings are"} in ${file}; ${rest} ${rest === 1 ? "video stays" : "videos stay"} unrated.`);
  }

  function rating({ id, source }) {
    const answer = answers[id];
    return {
      id,
      verdict: answer.verdict,
      repairSeconds: secondsOf(answer.repair),
      sourceCompared: answer.sourceCompared && source !== null,
      severeDefects: defects.map((defect) => defect.id).filter((defect) => answer.defects.includes(defect)),
      scores: Object.fromEntries(dimensions.map((dimension) => [dimension.id, answer.scores[dimension.id] ?? null])),
      notes: answer.notes,
    };
  }

  function hand(name, value) {
    const blob = new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: "application/json" });
    const url = URL.createObjectURL(blob);
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }

  // ---------------------------------------------------------------- keys

  const KEYS = [
    ["k", "play or pause", (parts) => (parts.video.paused ? parts.video.play().catch(() => {}) : parts.video.pause())],
    ["j", "5 seconds back", (parts) => { parts.video.currentTime -= 5; }],
    ["l", "5 seconds on", (parts) => { parts.video.currentTime += 5; }],
    ["-", "slower", (parts) => changeRate(parts, -1)],
    ["+", "faster", (parts) => changeRate(parts, 1)],
    ["n", "next video", (parts) => move(parts, 1)],
    ["p", "previous video", (parts) => move(parts, -1)],
    ["u", "next video that is not decided", nextOpen],
    ...verdicts.map(({ id, label }, at) => ["qwert"[at], label, (parts) => choose(parts.verdicts, id)]),
    [`${LOWEST} to ${HIGHEST}`, "score of the row that has the focus, else the required one", null],
    ["t", "start or pause the stopwatch", toggleWatch],
    ["o", "open or close the source", (parts) => parts.sourceButton?.click()],
    ["s", "download the ratings", download],
    ["?", "these keys", () => find("keys").showModal()],
  ];

  function changeRate({ rate, video }, by) {
    rate.selectedIndex = Math.min(RATES.length - 1, Math.max(0, rate.selectedIndex + by));
    video.playbackRate = Number(rate.value);
  }

  function move(parts, by) {
    const next = cards[cards.indexOf(parts) + by];
    if (!next) return;
    parts.video.pause();
    go(`#clip-${next.n}`);
  }

  function nextOpen(parts) {
    const at = cards.indexOf(parts);
    const next = [...cards.slice(at + 1), ...cards.slice(0, at)].find(({ clip }) => answers[clip.id].verdict === "");
    if (next) go(`#clip-${next.n}`);
  }

  function choose(inputs, value) {
    const input = inputs.find((candidate) => candidate.value === value);
    if (!input) return;
    input.checked = true;
    input.focus();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function score(parts, value) {
    const focused = [...parts.scores.values()].find(({ group }) => group.contains(document.activeElement));
    const required = dimensions.find((dimension) => dimension.required) ?? dimensions[0];
    choose((focused ?? parts.scores.get(required.id)).inputs, value);
  }

  /** The card that has the focus, else the one in the middle of the window. */
  function current() {
    const focused = document.activeElement.closest?.(".clip");
    if (focused) return cards.find(({ root }) => root === focused);
    const middle = innerHeight / 2;
    return cards.find(({ root }) => root.getBoundingClientRect().bottom > middle) ?? cards.at(-1);
  }

  function pressed(event) {
    const saving = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
    if (saving) {
      event.preventDefault();
      download();
      return;
    }
    const typing = event.target.matches?.("input[type=text], textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || find("keys").open || !find("keys-on").checked) return;
    const parts = current();
    const key = event.key === "=" ? "+" : event.key.toLowerCase();
    const known = KEYS.find(([name]) => name === key);
    const step = /^\d$/.test(key) && Number(key) >= LOWEST && Number(key) <= HIGHEST;
    if (!(step || known?.[2]) || (!parts && !["s", "?"].includes(key))) return;
    event.preventDefault();
    if (step) score(parts, key);
    else known[2](parts);
  }

  // ---------------------------------------------------------------- begin

  function begin() {
    find("decisions").textContent = verdicts.map(({ label, about }) => `${label}: ${about}.`).join(" ");
    find("scale").textContent = `From ${LOWEST}, poor, to ${HIGHEST}, excellent.`;
    find("index").append(...links.map((link) => element("li", {}, link)));
    links.forEach((link, at) => link.addEventListener("click", (event) => { event.preventDefault(); go(`#clip-${at + 1}`); }));
    find("clips").append(...cards.map(({ root }) => root));
    if (clips.length === 0) find("clips").append(element("p", { class: "empty" }, "There is no playable video in this package, so there is nothing to review."));
    find("key-list").append(...KEYS.flatMap(([key, meaning]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, meaning)]));
    find("help").addEventListener("click", () => find("keys").showModal());
    find("keys-on").checked = kept("keys") !== "off";
    find("keys-on").addEventListener("change", (event) => keep("keys", event.target.checked ? "on" : "off"));
    for (const id of ["download", "download-below"]) find(id).addEventListener("click", download);
    find("reviewer").addEventListener("change", (event) => become(event.target.value.trim()));
    find("reviewer").addEventListener("input", refreshPage);
    document.addEventListener("keydown", pressed);
    addEventListener("pagehide", () => { pauseWatches(); become(find("reviewer").value.trim()); });
    addEventListener("storage", ({ key }) => {
      if (key === `${PREFIX}draft/${reviewer}`) announce("This form was changed in another window. Open the page anew here, and use one window only.");
    });
    addEventListener("beforeunload", (event) => { if (!stored) event.preventDefault(); });
    watchTop();
    fill();
  }

  /** Tell the styles how much of the window the bar at the top takes, and the bar which video is in view. */
  function watchTop() {
    const top = document.querySelector(".top");
    new ResizeObserver(() => {
      const height = getComputedStyle(top).position === "sticky" ? top.offsetHeight : 0;
      document.documentElement.style.setProperty("--top", `${height + 12}px`);
    }).observe(top);
    const inView = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const at = cards.findIndex(({ root }) => root === target);
        if (isIntersecting) links[at].setAttribute("aria-current", "true");
        else links[at].removeAttribute("aria-current");
      }
    }, { rootMargin: "-45% 0px -45% 0px" });
    for (const { root } of cards) inView.observe(root);
  }

  begin();
})();
