//! The file's elements as a tree, and the references between them: XStream writes an object where it first occurs and refers to
//! it elsewhere, by number (`reference="7"`) or by path (`reference="../../securities/security[2]"`).

use std::collections::HashMap;

use crate::reading::{Element, Elements, Step};
use crate::{Problem, Reason};

/// Depots and accounts are nested in each other's transactions, each once.
const DEPTH_MAX: usize = 2_000;
const REFERENCES_MAX: usize = 8;
/// Up to this many children are counted one by one; beyond that they are looked up.
const FEW: usize = 20;

/// Prices, pictures and settings are most of a file, and nothing here refers to them.
const UNREAD: &str = "prices latest attributes watchlists consumerPriceIndeces plans taxonomies dashboards properties settings";

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(u32);

const NOWHERE: NodeId = NodeId(u32::MAX);
const ROOT: NodeId = NodeId(0);

struct Node {
    name: u32,
    line: u32,
    parent: NodeId,
    first: NodeId,
    next: NodeId,
    text: Option<Box<str>>,
    attributes: Vec<(&'static str, Box<str>)>,
}

pub struct Tree {
    nodes: Vec<Node>,
    names: HashMap<String, u32>,
    numbered: HashMap<String, NodeId>,
    /// Children by name, for parents that have many.
    crowds: HashMap<(NodeId, u32), Vec<NodeId>>,
}

impl Tree {
    pub fn read(text: &str) -> Result<Tree, Problem> {
        let mut elements = Elements::of(text).nested(DEPTH_MAX);
        let mut tree = Tree { nodes: Vec::new(), names: HashMap::new(), numbered: HashMap::new(), crowds: HashMap::new() };
        // Open elements with the last child of each.
        let mut open: Vec<(NodeId, NodeId)> = Vec::new();
        let mut unread = 0_usize;
        while let Some(step) = elements.step()? {
            match step {
                Step::Open(element) if unread > 0 => unread += usize::from(!element.empty),
                Step::Close if unread > 1 => unread -= 1,
                Step::Text(_) if unread > 0 => {}
                Step::Open(element) => {
                    let place = tree.add(&element, open.last_mut());
                    if !element.empty {
                        unread = usize::from(UNREAD.split(' ').any(|name| name == element.name));
                        open.push((place, NOWHERE));
                    }
                }
                Step::Text(text) => {
                    if let Some(node) = open.last().and_then(|(place, _)| tree.nodes.get_mut(place.0 as usize)) {
                        node.text = Some(text.into());
                    }
                }
                Step::Close => {
                    unread = 0;
                    open.pop();
                }
            }
        }
        tree.gather_crowds();
        Ok(tree)
    }

    fn add(&mut self, element: &Element, parent: Option<&mut (NodeId, NodeId)>) -> NodeId {
        let place = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let name = *self.names.entry(element.name.clone()).or_insert(number);
        let kept = ["reference", "type", "currency", "amount", "name"];
        let attributes = kept.into_iter().filter_map(|name| Some((name, Box::from(element.get(name)?)))).collect();
        if let Some(number) = element.get("id") {
            self.numbered.insert(number.to_owned(), place);
        }
        let above = parent.as_ref().map_or(NOWHERE, |(above, _)| *above);
        let line = u32::try_from(element.line).unwrap_or(u32::MAX);
        self.nodes.push(Node { name, line, parent: above, first: NOWHERE, next: NOWHERE, text: None, attributes });
        if let Some((above, last)) = parent {
            let before = if *last == NOWHERE { *above } else { *last };
            if let Some(node) = self.nodes.get_mut(before.0 as usize) {
                *(if *last == NOWHERE { &mut node.first } else { &mut node.next }) = place;
            }
            *last = place;
        }
        place
    }

    fn gather_crowds(&mut self) {
        let mut sizes = vec![0_usize; self.nodes.len()];
        for node in &self.nodes {
            if let Some(size) = sizes.get_mut(node.parent.0 as usize) {
                *size += 1;
            }
        }
        for (at, node) in self.nodes.iter().enumerate() {
            if sizes.get(node.parent.0 as usize).is_some_and(|size| *size > FEW) {
                self.crowds.entry((node.parent, node.name)).or_default().push(NodeId(at as u32));
            }
        }
    }

    pub fn root(&self) -> NodeId {
        ROOT
    }

    pub fn line(&self, place: NodeId) -> u64 {
        self.node(place).map_or(0, |node| u64::from(node.line))
    }

    /// All its elements, with references resolved; a broken reference is an error.
    pub fn children(&self, place: NodeId) -> impl Iterator<Item = Result<NodeId, Problem>> {
        self.below(place).map(|child| self.follow(child).ok_or_else(|| Problem::new(self.line(child), Reason::PortfolioDamaged)))
    }

    /// Its first element with that name, with references resolved.
    pub fn child(&self, place: NodeId, name: &str) -> Option<NodeId> {
        self.nth(place, name, 1).and_then(|child| self.follow(child))
    }

    /// Its elements with that name, with references unresolved.
    pub fn named(&self, place: NodeId, name: &str) -> impl Iterator<Item = NodeId> {
        let name = self.names.get(name).copied();
        self.below(place).filter(move |child| self.node(*child).map(|node| node.name) == name)
    }

    /// The text of one of its elements; `None` if it is empty.
    pub fn text(&self, place: NodeId, name: &str) -> Option<&str> {
        self.own_text(self.child(place, name)?)
    }

    pub fn own_text(&self, place: NodeId) -> Option<&str> {
        self.node(place)?.text.as_deref().filter(|text| !text.is_empty())
    }

    pub fn attribute(&self, place: NodeId, name: &str) -> Option<&str> {
        self.node(place)?.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_ref())
    }

    fn follow(&self, place: NodeId) -> Option<NodeId> {
        let mut at = place;
        for _ in 0..REFERENCES_MAX {
            match self.attribute(at, "reference") {
                Some(reference) => at = self.resolve(at, reference)?,
                None => return Some(at),
            }
        }
        None
    }

    fn resolve(&self, from: NodeId, reference: &str) -> Option<NodeId> {
        if reference.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.numbered.get(reference).copied();
        }
        let (mut at, way) = match reference.strip_prefix('/') {
            // From the root, whose own name comes first.
            Some(way) => (ROOT, way.split_once('/').map_or("", |(_, way)| way)),
            None => (from, reference),
        };
        for step in way.split('/').filter(|step| !step.is_empty()) {
            at = match step.split_once('[') {
                None if step == ".." => self.node(at)?.parent,
                None => self.nth(at, step, 1)?,
                Some((name, number)) => self.nth(at, name, number.strip_suffix(']')?.parse().ok()?)?,
            };
        }
        (at != NOWHERE).then_some(at)
    }

    fn nth(&self, place: NodeId, name: &str, number: usize) -> Option<NodeId> {
        let index = number.checked_sub(1)?;
        match self.crowds.get(&(place, *self.names.get(name)?)) {
            Some(crowd) => crowd.get(index).copied(),
            None => self.named(place, name).nth(index),
        }
    }

    fn below(&self, place: NodeId) -> impl Iterator<Item = NodeId> {
        let first = self.node(place).map(|node| node.first).filter(|first| *first != NOWHERE);
        std::iter::successors(first, |at| self.node(*at).map(|node| node.next).filter(|next| *next != NOWHERE))
    }

    fn node(&self, place: NodeId) -> Option<&Node> {
        self.nodes.get(place.0 as usize)
    }
}
